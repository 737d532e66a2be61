"""What the documentation site has beyond the documents, and the check of all its links."""
