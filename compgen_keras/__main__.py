"""`python -m compgen_keras` is `compgen-keras`."""

import sys

from compgen_keras.cli import main

if __name__ == "__main__":
    sys.exit(main())
