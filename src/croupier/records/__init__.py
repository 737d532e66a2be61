"""Records: the codec of commands and events, the table log and its hash chain, the narration."""
