#!/usr/bin/env python3
"""Run the tests: `run.py [FOLDER] [-v] [NAME ...]`; the last line is `N passed, N failed`."""

from __future__ import annotations

import faulthandler
import io
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = re.compile(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?")
SKIPPED = "skipped: "
HANGS = 1800  # seconds for one test: the slowest takes 20 on an idle machine
# files that take long for their size: what a line of them takes, against a line of the others
SLOW = {"test_bad_input": 8, "test_session_keeping": 2, "test_bench": 5, "test_sync": 3}


class Result(unittest.TextTestResult):
    """Counts passes, ends a test that hangs, and with -v shows how long each test took."""

    passed = 0

    def startTest(self, test: unittest.TestCase) -> None:
        faulthandler.dump_traceback_later(HANGS, exit=True)  # it names the test
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
    skipped = ["%s: %s" % (test.id(), reason) for test, reason in result.skipped]
    return report(result.passed, failed, skipped)


def run_all(folder: str, part: list[str]) -> int:
    """Run each file of tests in a process of its own, as many at once as there are processors."""
    names = [name[:-3] for name in os.listdir(folder) if name[:5] == "test_" and name[-3:] == ".py"]
    names.sort(key=lambda name: -SLOW.get(name, 1) * os.path.getsize(_path(folder, name)))
    workers = os.cpu_count() or 1
    print("%d files of tests, %d at a time, the longest first" % (len(names), workers), flush=True)
    passed, failed, skipped = 0, 0, []
    shared = tempfile.TemporaryDirectory(prefix="custom skills compiled ")
    with shared as compiled, ThreadPoolExecutor(workers) as pool:
        runs = [pool.submit(run_file, name, part, compiled) for name in names]
        for number, run in enumerate(as_completed(runs), 1):
            name, seconds, output, code = run.result()
            counts = COUNTS.fullmatch(output.rstrip().rpartition("\n")[2])
            if not counts or int(counts[2]):
                print(output)
            ended = counts[0] if counts else "did not end: exit code %d" % code
            line = (number, len(names), name, seconds, ended)
            print("%2d of %d  %-28s %5.1f s  %s" % line, flush=True)
            passed += int(counts[1]) if counts else 0
            failed += int(counts[2]) if counts else 1
            skipped += re.findall("^%s(.*)" % SKIPPED, output, re.MULTILINE)
    return report(passed, failed, skipped)


def run_file(name: str, part: list[str], compiled: str) -> tuple[str, float, str, int]:
    """Run one file of tests; return its name, how long it took, its output and its exit code."""
    started = time.time()
    with tempfile.TemporaryFile() as output:  # of a pipe, a child left behind would hold the end
        done = subprocess.run(
            [sys.executable, os.path.abspath(__file__), *part, name],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "CUSTOM_SKILLS_TESTS_COMPILED": compiled},
        )
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return name, time.time() - started, text, done.returncode


def report(passed: int, failed: int, skipped: list[str]) -> int:
    """Print what was skipped and why, and the last line; return the exit code."""
    for each in skipped:
        print(SKIPPED + each)
    count = ", %d skipped" % len(skipped) if skipped else ""
    print("%d passed, %d failed%s" % (passed, failed, count))
    return 1 if failed or not passed else 0


def _path(folder: str, name: str) -> str:
    return os.path.join(folder, name + ".py")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
