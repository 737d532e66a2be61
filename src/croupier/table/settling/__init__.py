"""Settlement: losers collected, winners paid, vigorish, awards, and unclaimed amounts."""
