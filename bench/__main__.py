"""`python -m bench`, from the repository's root."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
