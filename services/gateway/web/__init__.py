"""What every route shares: who calls, forged posts, keys, language, rendering, refusals."""
