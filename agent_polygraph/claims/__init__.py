"""Reads the closing once: its structure, its clauses, and what each clause claims."""
