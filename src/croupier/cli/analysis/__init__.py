"""Commands for odds, simulation, sessions, counting, and the blackjack wagers."""
