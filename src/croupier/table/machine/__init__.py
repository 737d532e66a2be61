"""The machine of a table: decide, evolve, and legal, the state, and sessions that play it."""
