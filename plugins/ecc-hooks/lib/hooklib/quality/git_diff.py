"""Ask git which files differ from the last commit, and in which lines."""

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
    """Run a git command in the repository at root; return its output, None if it fails."""
    if not os.path.exists(os.path.join(root, ".git")):
        return None
    done = git.ask(root, args, SECONDS, run)
    return None if done.code else done.stdout


def changed_files(root: str, run: Run = process.run) -> dict[str, list[str]]:
    """Return the paths that differ from the last commit, with their present and old names."""
    output = ask(root, _STATUS, run)
    entries = iter((output or b"").split(b"\0"))
    names_by_path = {}
    for entry in entries:
        state, names = entry[:2], [entry[3:]]
        if state[:1] in (b"R", b"C"):  # the old name follows
            names.append(next(entries, b""))
        if names[0] and b"D" not in state:
            paths = [os.path.join(root, os.fsdecode(name)) for name in names]
            names_by_path[paths[0]] = [] if state == b"??" else paths
    return names_by_path


def changed_lines(root: str, names: list[str], run: Run = process.run) -> set[int] | range:
    """Return the lines of a file that differ from the last commit; all lines of a new file.

    names are the present name of the file and its old one, if any.
    """
    if not names:
        return EVERY_LINE
    output = ask(root, [*_DIFF, *names], run)
    if output is None:  # no commit yet, or no repository
        is_repository = ask(root, ["rev-parse", "--git-dir"], run) is not None
        return EVERY_LINE if is_repository else set()
    if not output and ask(root, ["ls-files", "--", names[0]], run) == b"":
        return EVERY_LINE  # new to git
    numbers: set[int] = set()
    for line in output.split(b"\n"):
        if line.startswith(b"@@ "):  # @@ -old,count +new,count @@
            start, _, count = line.split()[2][1:].partition(b",")
            numbers.update(range(int(start), int(start) + int(count or b"1")))
    return numbers


def has_committed(root: str, folder: str, run: Run = process.run) -> bool | None:
    """Return whether a folder or something in it is committed.

    Return None if git fails, False if there is no repository at all.
    """
    top = os.path.dirname(folder)  # the repository around it may be a submodule
    while not os.path.exists(os.path.join(top, ".git")):
        if top == root or os.path.dirname(top) == top:
            return False
        top = os.path.dirname(top)
    output = ask(top, ["ls-files", "-z", "--", folder], run)
    return None if output is None else bool(output)
