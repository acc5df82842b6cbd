"""What active scheduling is: pure values and decisions, handed `now`."""
