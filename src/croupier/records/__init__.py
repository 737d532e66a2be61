"""Table records: codec, log, hash chain, and narration."""
