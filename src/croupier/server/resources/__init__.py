"""Resources of the API and the pages."""
