"""What the closing says beside what the results show: numbers, records, names.

Each module knows one kind of figure or name and yields a `Mismatch` where the evidence has another one; the
checks turn them into findings.
"""
