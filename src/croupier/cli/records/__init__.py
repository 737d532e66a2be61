"""Commands that read logs and external rounds."""
