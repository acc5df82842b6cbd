"""Between the contracts and what people and programs see: bodies, JSON, problems, page models."""
