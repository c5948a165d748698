"""The command `hookctl` as pip installs it."""

from __future__ import annotations

import sys


def main() -> int:
    from hooklib.cli import main as hookctl

    return hookctl(sys.argv[1:])
