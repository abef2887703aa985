"""Which module reads which host's transcript."""

from __future__ import annotations

from ..config import DEFAULT_CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .dialects import Stop
    from .memory import Memory
    from .scene import Scene


def at_stop(reader: str, stop: Stop, memory: Memory) -> Scene:
    """The turn that ends here, by the host's own record.  Raises OSError where there is none."""
    from .scene import at_stop

    return at_stop(stop, memory, DEFAULT_CONFIG)
