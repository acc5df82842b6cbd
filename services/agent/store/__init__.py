"""SQL, a file for each table."""
