"""Find a program: the project's own, searched from the edited file upwards, else on PATH."""

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
# only programs that start without a shell: a .cmd file would pass our arguments to one
_ENDINGS = (".exe",) if os.name == "nt" else ("",)


class Program:
    """A program: its path, and whether it is the project's own."""

    __slots__ = ("path", "own")

    def __init__(self, path: str, own: bool) -> None:
        self.path = path
        self.own = own


def find(event: Event, edited: Edited, language: str, name: str, run: Run) -> Program | None:
    """Return the program of that name for this file, None if there is none."""
    for folder, names in edited.around:
        for top, programs in FOLDERS[language]:
            path = _program(os.path.join(folder, top, programs), name) if top in names else ""
            if path and not _is_committed(event, edited.root, os.path.join(folder, top), run):
                return Program(path, True)
    path = _on_path(name, edited.root)
    return Program(path, False) if path else None


def _on_path(name: str, root: str) -> str:
    """Search PATH without folders of the project, which only `find` may use."""
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


def _is_committed(event: Event, root: str, folder: str, run: Run) -> bool:
    """Return whether a tool folder is committed: then its programs come from the author of the
    repository, not from the user who cloned it, and must not run. Git is asked once per session.
    """
    if event.settings.user_flag("committedTools"):
        return False
    committed = session_notes.read(event)["folders"].get(folder)
    if not isinstance(committed, bool):
        from hooklib.quality import git_diff

        committed = git_diff.has_committed(root, folder, run)
        if committed is None:  # unknown: start nothing now, ask again next time
            return True
        session_notes.change(event, lambda notes: notes["folders"].update({folder: committed}))
    return committed
