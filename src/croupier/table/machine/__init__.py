"""The machine of a table: decide, evolve, legal, state, and sessions."""
