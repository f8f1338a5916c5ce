"""`python -m apus` is the command line."""

import sys

from apus.cli import main

if __name__ == "__main__":
    sys.exit(main())
