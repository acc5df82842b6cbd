"""The HTTP server: its process part, its middleware, and how the routes are put together."""
