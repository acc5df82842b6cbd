"""The pure scheduling core: calendar, grid, validator, base map, ranking.

Imports the standard library alone, does no IO, is handed `now`, and answers equal input,
in any order, with equal output. Spec: planning.md.
"""
