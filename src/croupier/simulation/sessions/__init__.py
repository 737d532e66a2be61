"""Sessions: a bettor, a bankroll, and a system at a table, dealt by the scalar engine."""
