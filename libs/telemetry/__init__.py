"""Logs, traces, metrics and the operations port."""
