"""What git knows: which files differ from the last commit, and on which lines."""

from __future__ import annotations

import os

from hooklib import git, process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.process import Run

SECONDS = 3.0
EVERY_LINE = range(1, 1 << 30)
_DIFF = [*git.DIFF, "--find-renames", "-U0", "HEAD", "--"]
_STATUS = [*git.STATUS, "-z", "--untracked-files=all"]


def ask(root: str, args: list[str], run: Run = process.run) -> bytes | None:
    """Return what git says to a question about the repository at root; None where it fails."""
    if not os.path.exists(os.path.join(root, ".git")):
        return None
    done = git.ask(root, args, SECONDS, run)
    return None if done.code else done.stdout


def changed_files(root: str, run: Run = process.run) -> dict[str, list[str]]:
    """Return the paths that differ from the last commit, with the names that git knows them by."""
    told = ask(root, _STATUS, run)
    entries = iter((told or b"").split(b"\0"))
    found = {}
    for entry in entries:
        state, names = entry[:2], [entry[3:]]
        if state[:1] in (b"R", b"C"):  # the name that it had before follows
            names.append(next(entries, b""))
        if names[0] and b"D" not in state:
            paths = [os.path.join(root, os.fsdecode(name)) for name in names]
            found[paths[0]] = [] if state == b"??" else paths
    return found


def changed_lines(root: str, names: list[str], run: Run = process.run) -> set[int] | range:
    """Return the lines of a file that differ from the last commit; all where that has none.

    names are the file's, the one it had before included.
    """
    if not names:
        return EVERY_LINE
    told = ask(root, [*_DIFF, *names], run)
    if told is None:  # no commit yet, or no repository
        known = ask(root, ["rev-parse", "--git-dir"], run) is not None
        return EVERY_LINE if known else set()
    if not told and ask(root, ["ls-files", "--", names[0]], run) == b"":
        return EVERY_LINE  # new to git
    found: set[int] = set()
    for line in told.split(b"\n"):
        if line.startswith(b"@@ "):  # @@ -old,count +new,count @@
            start, _, count = line.split()[2][1:].partition(b",")
            found.update(range(int(start), int(start) + int(count or b"1")))
    return found


def holds(root: str, folder: str, run: Run = process.run) -> bool | None:
    """Return whether something in a folder, or the folder itself, is committed.

    None where git cannot tell; False where there is no repository at all.
    """
    top = os.path.dirname(folder)  # the repository around it may be a submodule
    while not os.path.exists(os.path.join(top, ".git")):
        if top == root or os.path.dirname(top) == top:
            return False
        top = os.path.dirname(top)
    told = ask(top, ["ls-files", "-z", "--", folder], run)
    return None if told is None else bool(told)
