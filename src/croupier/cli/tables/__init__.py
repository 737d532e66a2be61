"""Commands that deal, serve, or join a table."""
