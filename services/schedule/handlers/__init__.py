"""What the schedule service does: one function per use case, in the transaction it is handed."""
