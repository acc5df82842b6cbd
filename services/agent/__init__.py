"""agent: chooses and words what the pipeline found, and keeps what a person wants remembered."""
