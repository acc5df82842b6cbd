"""What a selection is, what words may claim, what is remembered."""
