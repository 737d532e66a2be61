"""File input and output: bounded reads, atomic writes, and exit statuses."""
