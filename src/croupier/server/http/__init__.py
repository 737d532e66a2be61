"""The HTTP edge: routing, limits, problems, metrics, and the API description."""
