"""Changes of elections, and the notice required before them."""
