"""The live table service: durable commands over HTTP, offices, and event streams."""
