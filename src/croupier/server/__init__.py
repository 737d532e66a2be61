"""The live table as a service: durable commands over HTTP, offices, streams of events."""
