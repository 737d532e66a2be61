"""The resources of the API and the pages, by what they are about."""
