"""Asking a model: prompts, one endpoint, and what can be made of its answer.

`endpoint` is imported where a model is configured and nowhere else: the SDK costs a second and
many megabytes.
"""
