#!/usr/bin/env python3
"""Run the tests: `run.py [FOLDER] [-v] [NAME ...]`; the last line is `N passed, N failed`."""

from __future__ import annotations

import os
import sys
import time
import unittest

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
    folder = os.path.join(HERE, names.pop(0)) if names and names[0] == "e2e" else HERE
    library = os.path.join(os.path.dirname(HERE), "plugins", "ecc-hooks", "lib")
    sys.path[:0] = [folder, HERE, library]
    sys.stdout.reconfigure(errors="backslashreplace")  # a failure may show half a character
    loader = unittest.TestLoader()
    suite = (
        loader.loadTestsFromNames(names) if names else loader.discover(folder, top_level_dir=folder)
    )
    runner = unittest.TextTestRunner(
        sys.stdout, verbosity=2 if verbose else 1, resultclass=Result, warnings="error"
    )
    result: Result = runner.run(suite)  # type: ignore[assignment]
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = ", %d skipped" % len(result.skipped) if result.skipped else ""
    print("%d passed, %d failed%s" % (result.passed, failed, skipped))
    return 1 if failed or not result.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
