"""Files and streams: one bounded way in, one atomic way out, and what each exit status means."""
