"""Settlement: losers, winners, vigorish, awards, and unclaimed amounts."""
