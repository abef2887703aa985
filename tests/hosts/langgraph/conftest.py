"""The host warns of its own deprecations while it is imported; ours are errors all the same."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import langgraph.prebuilt  # noqa: F401
