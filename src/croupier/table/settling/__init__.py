"""Settlement: losing wagers collected, winning ones paid, vigorish, awards, and amounts kept."""
