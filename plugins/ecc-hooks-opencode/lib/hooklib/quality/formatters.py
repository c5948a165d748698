"""How to call each formatter: its arguments, its ranges, its working directory."""

from __future__ import annotations

import os
import time

from hooklib import limits
from hooklib.quality import config_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.process import Finished, Run
    from hooklib.quality.edited_file import Edited

    Spans = list[tuple[int, int]]

_IN_PLACE = ("pint", "php-cs-fixer")  # these format whole files on disk only
_WHOLE = (".vue", ".svelte")  # Prettier ignores ranges in these
SECONDS = 10.0  # for one file, all its runs together


class Formatter:
    """A formatter for one file of a project."""

    def __init__(self, name: str, program: str, file: Edited, folder: str, run: Run) -> None:
        self.name = name
        self.file = file
        self.folder = folder  # the folder of its configuration, else the project's
        self.failed = 0  # the exit code of a run that failed
        self.error_text = ""
        self._end = time.monotonic() + limits.scaled(SECONDS)
        self._program = program
        self._run = run

    @property
    def is_in_place(self) -> bool:
        return self.name in _IN_PLACE

    @property
    def knows_ranges(self) -> bool:
        return not self.is_in_place and not self.file.path.endswith(_WHOLE)

    def formatted(self, data: bytes, spans: Spans | None = None) -> bytes | None:
        """Return data with all lines or those in spans formatted, None if the tool fails."""
        if spans is None:
            return self._filter(data, [])
        if self.name == "black":
            ranges = ["--line-ranges=%d-%d" % span for span in spans]
            return self._filter(data, ranges)
        result: bytes | None = data
        for span in reversed(spans):  # from the end, so that earlier lines keep their numbers
            if result is not None:
                result = self._filter(result, self._range(result, span))
        return result

    def is_clean(self, data: bytes) -> bool:
        """Return whether the tool would leave data unchanged."""
        if not self.is_in_place:
            return self.formatted(data) == data
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="custom-skills-") as folder:
            copy = os.path.join(folder, os.path.basename(self.file.path))
            with open(copy, "wb") as file:
                file.write(data)
            return self._start(self._in_place(copy, check=True)).code == 0

    def format_file(self) -> bool:
        """Let a tool that works in place format the file; return whether it succeeded."""
        return self._start(self._in_place(self.file.path)).code == 0

    def _filter(self, data: bytes, more: list[str]) -> bytes | None:
        done = self._start([*self._filter_args(), *more, *self._stdin_args()], data)
        return done.stdout if not done.code and _is_credible(done, data) else None

    def _filter_args(self) -> list[str]:
        if self.name == "ruff":
            return ["format", "--force-exclude"]  # --quiet would hide syntax errors
        if self.name == "black":
            return ["--quiet", *_black_exclude(self.folder)]
        return []

    def _stdin_args(self) -> list[str]:
        if self.name == "prettier":
            return ["--stdin-filepath", self.file.path]
        return ["--stdin-filename", self.file.path, "-"]

    def _range(self, data: bytes, span: tuple[int, int]) -> list[str]:
        if self.name == "ruff":
            return ["--range=%d:1-%d:1" % (span[0], span[1] + 1)]
        lines = data.decode("utf-8").split("\n")
        start, end = ("\n".join([*lines[:number], ""]) for number in (span[0] - 1, span[1]))
        ends = ["--range-start=%d" % _units(start), "--range-end=%d" % _units(end)]
        return ["--end-of-line=auto", *ends]  # any other setting would change the whole file

    def _in_place(self, path: str, check: bool = False) -> list[str]:
        if self.name == "pint":
            return [*(["--test"] if check else []), "--quiet", "--no-interaction", "--", path]
        dry = ["--dry-run"] if check else []
        return ["fix", *dry, "--using-cache=no", "--quiet", "--no-interaction", "--", path]

    def _start(self, args: list[str], stdin: bytes = b"") -> Finished:
        left = max(0.1, self._end - time.monotonic())
        done = self._run([self._program, *args], stdin=stdin, cwd=self._cwd(), timeout=left)
        if done.code:
            self.failed = done.code
            self.error_text = done.stderr.decode("utf-8", "replace")
        return done

    def _cwd(self) -> str:
        if self.name != "prettier":
            return self.folder
        # it reads .prettierignore in its working directory only
        return self.file.nearest(lambda _, names: ".prettierignore" in names) or self.folder


def _is_credible(done: Finished, data: bytes) -> bool:
    """Return whether the output can be all of data, before it replaces data."""
    return done.whole and 2 * len(b"".join(done.stdout.split())) >= len(b"".join(data.split()))


def _units(text: str) -> int:
    """Return the length of text in JavaScript."""
    from hooklib.text import host_length

    return host_length(text)


def _black_exclude(folder: str) -> list[str]:
    """Return options that apply `exclude` also to stdin, where Black ignores it."""
    text = config_text.read(os.path.join(folder, "pyproject.toml"))
    keys = ("exclude", "extend-exclude", "force-exclude")
    patterns = [pattern for key in keys for pattern in config_text.texts(text, "tool.black", key)]
    # unchanged: Black reads a pattern of several lines as verbose, and it may end with a comment
    joined = "|".join("(%s)" % pattern for pattern in patterns if pattern.strip())
    return ["--force-exclude", joined] if joined else []
