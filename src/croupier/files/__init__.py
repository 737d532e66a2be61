"""The one way in: files are read here, bounded before a parser sees them, and nowhere else."""
