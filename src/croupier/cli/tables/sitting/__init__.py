"""A table at a terminal, full screen or line by line, drawn from a view and its acts."""
