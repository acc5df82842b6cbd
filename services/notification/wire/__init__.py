"""proto ↔ domain, both ways, and the shape checks of requests."""
