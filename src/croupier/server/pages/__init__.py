"""HTML pages of a live table, one per office."""
