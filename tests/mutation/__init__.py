"""Mutation testing: ``python tests/mutation_tests.py`` runs it, and docs/mutation-testing.md explains it."""
