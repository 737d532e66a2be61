"""Elections that change, and the notice that comes before."""
