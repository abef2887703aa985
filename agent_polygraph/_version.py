"""The version, in one place: the package's own and the one a verdict is stamped with."""

__version__ = "0.1.0"
DETECTOR_VERSION = __version__
