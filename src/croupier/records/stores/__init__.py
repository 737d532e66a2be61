"""Stores of records: files, SQLite, PostgreSQL, their copies, snapshots, and vaults."""
