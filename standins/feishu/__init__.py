"""A program that speaks the HTTP of Feishu's custom bots on loopback.

It judges what it is sent as the vendor does, remembers it, shows it on a page, and misbehaves on
request. The demo and the tests talk to it; no service and no library imports it.
"""
