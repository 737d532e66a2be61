"""Rounds that others have recorded: CSV, JSON Lines and Parquet, read into one form."""
