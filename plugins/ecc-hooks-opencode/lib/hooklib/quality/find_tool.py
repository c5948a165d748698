"""Find a program: the project's own, from the edited file upwards, else the one on PATH."""

from __future__ import annotations

import os

from hooklib.quality import session_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.event import Event
    from hooklib.process import Run
    from hooklib.quality.edited_file import Edited

_BIN = "Scripts" if os.name == "nt" else "bin"
FOLDERS = {
    "python": ((".venv", _BIN), ("venv", _BIN)),
    "js": (("node_modules", ".bin"),),
    "php": (("vendor", "bin"),),
}
# only what the system starts without a shell: a .cmd file would get our arguments through one
_ENDINGS = (".exe",) if os.name == "nt" else ("",)


class Program:
    """A program that was found: its path, and whether it is the project's own."""

    __slots__ = ("path", "own")

    def __init__(self, path: str, own: bool) -> None:
        self.path = path
        self.own = own


def find(event: Event, edited: Edited, language: str, name: str, run: Run) -> Program | None:
    """Return the program of that name for this file, None where there is none."""
    for folder, there in edited.around:
        for top, programs in FOLDERS[language]:
            path = _program(os.path.join(folder, top, programs), name) if top in there else ""
            if path and not _came_along(event, edited.root, os.path.join(folder, top), run):
                return Program(path, True)
    path = _on_path(name, edited.root)
    return Program(path, False) if path else None


def _on_path(name: str, root: str) -> str:
    """Look on PATH, but in no folder of the project's: those count only as its own."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if os.path.isabs(folder) and not (folder + os.sep).startswith(root + os.sep):
            path = _program(folder, name)
            if path:
                return path
    return ""


def _program(folder: str, name: str) -> str:
    for ending in _ENDINGS:
        path = os.path.join(folder, name + ending)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return ""


def _came_along(event: Event, root: str, folder: str, run: Run) -> bool:
    """Return whether a tool folder is committed: then whoever wrote the repository put it there,
    not the user who cloned it, and nothing in it is started. Asked once per session.
    """
    if event.settings.user_flag("committedTools"):
        return False
    known = session_notes.read(event)["folders"].get(folder)
    if not isinstance(known, bool):
        from hooklib.quality import git_diff

        known = git_diff.holds(root, folder, run)
        if known is None:  # not started now, asked again the next time
            return True
        session_notes.change(event, lambda book: book["folders"].update({folder: known}))
    return known
