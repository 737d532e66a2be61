"""External round records, read into one form."""
