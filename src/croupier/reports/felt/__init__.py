"""The layout of a table as SVG."""
