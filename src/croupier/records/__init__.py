"""Table records: codec of commands and events, table log, hash chain, and narration."""
