#!/usr/bin/env python3
"""Print what each customer bought."""

from __future__ import annotations

import csv
import sys


def amounts(rows: list[list[str]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, amount in rows:
        found[name] = found.get(name, 0.0) + float(amount)
    return found


def main(path: str) -> None:
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    for name, amount in sorted(amounts(rows).items()):
        print("%-20s %10.2f" % (name, amount))


if __name__ == "__main__":
    main(sys.argv[1])
