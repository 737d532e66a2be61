"""A table at a terminal, line by line, from a view and its acts."""
