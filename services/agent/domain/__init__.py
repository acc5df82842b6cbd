"""What a selection is, what words may claim and ask for, what is remembered."""
