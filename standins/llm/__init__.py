"""A program that speaks the HTTP of OpenAI-compatible chat endpoints on loopback.

It answers a request for a selection from the facts in the request, plans decently in a
conversation, remembers what it was asked, and misbehaves on request, in every way that endpoints
were seen to. The demo and the tests talk to it; no service and no library imports it.
"""
