#!/usr/bin/env python3
"""Run the tests: `run.py [FOLDER] [-v] [NAME ...]`; the last line is `N passed, N failed`."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))


class Result(unittest.TextTestResult):
    """Counts passes, and with -v tells how long each test took."""

    passed = 0

    def startTest(self, test: unittest.TestCase) -> None:
        self.started = time.time()
        super().startTest(test)

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.passed += 1
        super().addSuccess(test)
        if self.showAll and time.time() - self.started > 1:
            self.stream.writeln("    %.1f s" % (time.time() - self.started))


def main(argv: list[str]) -> int:
    verbose = "-v" in argv
    names = [arg for arg in argv if not arg.startswith("-")]
    part = [names.pop(0)] if names[:1] == ["e2e"] else []
    folder = os.path.join(HERE, *part)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a failure may show half a character
    if not names and not verbose:
        return run_all(folder, part)
    library = os.path.join(os.path.dirname(HERE), "plugins", "ecc-hooks", "lib")
    sys.path[:0] = [folder, HERE, library]
    loader = unittest.TestLoader()
    suite = (
        loader.loadTestsFromNames(names) if names else loader.discover(folder, top_level_dir=folder)
    )
    kind: Any = Result  # mypy takes only classes that are not generic
    runner = unittest.TextTestRunner(
        sys.stdout, verbosity=2 if verbose else 1, resultclass=kind, warnings="error"
    )
    result: Any = runner.run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    return print_totals(result.passed, failed, len(result.skipped))


def run_all(folder: str, part: list[str]) -> int:
    """Run each file of tests in a process of its own, as many at once as there are processors."""
    names = [name[:-3] for name in os.listdir(folder) if name[:5] == "test_" and name[-3:] == ".py"]
    names.sort(key=lambda name: -os.path.getsize(os.path.join(folder, name + ".py")))

    def run(name: str) -> tuple[str, float, str]:
        started = time.time()
        done = subprocess.run(
            [sys.executable, os.path.abspath(__file__), *part, name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return name, time.time() - started, done.stdout.decode("utf-8", "replace")

    totals = [0, 0, 0]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in as_completed([pool.submit(run, name) for name in names]):
            name, seconds, output = done.result()
            last = output.rstrip().rpartition("\n")[2]
            counts = re.fullmatch(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", last)
            numbers = [int(n or 0) for n in counts.groups()] if counts else [0, 1, 0]
            totals = [total + n for total, n in zip(totals, numbers)]
            if numbers[1]:
                print(output)
            print(
                "%-28s %5.1f s  %s" % (name, seconds, last if counts else "did not end"), flush=True
            )
    return print_totals(*totals)


def print_totals(passed: int, failed: int, skipped: int) -> int:
    """Print the last line; return the exit code."""
    print("%d passed, %d failed%s" % (passed, failed, ", %d skipped" % skipped if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
