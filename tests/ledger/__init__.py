"""Honest replies of varied phrasing over a few runs, written before anything was tuned on them."""
