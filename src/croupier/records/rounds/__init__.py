"""External round records: CSV, JSON Lines, and Parquet, read into one form."""
