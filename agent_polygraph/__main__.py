"""`python -m agent_polygraph`: the command line."""

import sys

from agent_polygraph.cli import main

if __name__ == "__main__":
    sys.exit(main())
