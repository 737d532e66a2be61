"""The cards of a table: received, inspected, shuffled, cut, burned, held, and taken out of use."""
