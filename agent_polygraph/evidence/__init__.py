"""Reads the trajectory once: steps, what they do, how they ended, and what they show."""
