"""active_scheduler: looks ahead by itself, proposes, carries a confirmed proposal to its end."""
