"""Judging rounds that others dealt and recorded: was the book kept, and where was it not."""
