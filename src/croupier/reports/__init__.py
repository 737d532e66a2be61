"""Documents as trees of nodes, and renderers of any tree."""
