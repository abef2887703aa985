"""Builds the long-turn, disclosure and shield cases from the plain-text scripts in this folder."""
