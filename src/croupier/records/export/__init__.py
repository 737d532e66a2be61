"""Table logs as tables of rows: rounds, wagers, entries, irregularities, and postings."""
