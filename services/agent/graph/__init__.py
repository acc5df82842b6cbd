"""The conversation as plain functions: each takes the state of a run and gives the next one.

`transitions` is the one table of what may follow what. A node asks models and services; it never
touches the database, and whoever drives the run saves what it gives. Spec: agent.md.
"""
