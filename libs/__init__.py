"""The kit of the suite, and its pure planning core."""
