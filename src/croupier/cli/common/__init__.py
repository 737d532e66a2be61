"""Options, output, files, help, and documents that several commands share."""
