"""Stores of records, their copies, snapshots, and vaults."""
