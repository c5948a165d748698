"""The command `hookctl` as pip installs it."""

from __future__ import annotations

import sys


def main() -> int:
    from hooklib.cli import hookctl

    return hookctl.main(sys.argv[1:])
