"""The least that could do the job: the same parts, nothing of the suite around them."""
