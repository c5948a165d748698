"""Write into one layer: add entries and keep the index right, without losing what people wrote.

Entries are appended, so that an editor's save at the same moment loses nothing; the index is
replaced whole, with every field kept that is not ours. Writers take turns.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time

from hooklib import files
from hooklib.knowledge import entries
from hooklib.knowledge.note_folders import INDEX, KINDS, KNOWLEDGE, can_be_inside, is_plain, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.knowledge.note_folders import Kind

MAX_FILE = 16_000_000  # bytes
_PATIENCE = 20.0  # seconds: here a person waits, not a host


class Refused(Exception):
    """It cannot be written, and why."""


class Layer:
    """One auto-skill folder to write into: the user's, which is private, or the project's."""

    def __init__(self, name: str, top: str, project: str = "") -> None:
        self.name = name
        self.top = top
        self.project = project
        self.file_mode = 0o600 if name == "user" else 0o644
        self.folder_mode = 0o700 if name == "user" else 0o755

    def folder(self, kind: Kind) -> str:
        return os.path.join(self.top, kind.folder)

    def make(self) -> list[str]:
        """Make what is missing of the layer; return the indexes that were made."""
        made = []
        for kind in KINDS:
            self.make_folder(kind)
        with Turn(self):
            for kind in KINDS:
                path = os.path.join(self.folder(kind), INDEX)
                if not os.path.lexists(path):
                    self.save(kind, fresh(kind))
                    made.append(path)
        return made

    def make_folder(self, kind: Kind) -> None:
        self.check_place()
        os.makedirs(self.folder(kind), mode=self.folder_mode, exist_ok=True)

    def check_place(self) -> None:
        """Refuse to write where a link leads out of the project: a clone may bring one."""
        if not self.project:
            return
        project = os.path.realpath(self.project).rstrip(os.sep) + os.sep
        for kind in KINDS:
            path = os.path.join(self.folder(kind), INDEX)
            real = os.path.realpath(path)
            if not real.startswith(project):
                raise Refused("%s leads out of the project, to %s" % (path, real))

    def load(self, kind: Kind) -> dict[str, Any]:
        """Return the index; Refused where there is one that cannot be used."""
        path = os.path.join(self.folder(kind), INDEX)
        try:
            value = json.loads(files.read_bounded(path, MAX_FILE).decode("utf-8-sig"))
        except FileNotFoundError:
            return fresh(kind)
        except OSError as error:
            raise Refused("%s: %s" % (path, error.strerror or error)) from None
        except (ValueError, RecursionError):
            raise Refused("%s is not JSON" % path) from None
        if not isinstance(value, dict) or not isinstance(value.get(kind.list, []), list):
            raise Refused("%s has no list of %s" % (path, kind.list))
        value.setdefault(kind.list, [])
        return value

    def save(self, kind: Kind, value: dict[str, Any]) -> None:
        """Replace the index; it keeps its indentation and its mode."""
        self.check_place()
        path = os.path.join(self.folder(kind), INDEX)
        indent, mode = "  ", self.file_mode
        try:
            old = files.read_head(path, 4096).decode("utf-8", "replace")
            found = re.search(r'\n([ \t]+)"', old)
            indent = found[1] if found else indent
            mode = stat.S_IMODE(os.stat(path).st_mode)
        except OSError:
            pass
        text = json.dumps(value, indent=indent, ensure_ascii=False) + "\n"
        # half a surrogate pair can be written in JSON only as an escape
        text = re.sub("[\ud800-\udfff]", lambda half: "\\u%04x" % ord(half[0]), text)
        target = os.path.realpath(path)
        files.write_atomic(target, text.encode("utf-8"), mode)

    def read_file(self, kind: Kind, file: str, errors: str = "replace") -> str:
        """Return the text of a listed file, '' where there is none yet."""
        folder = self.folder(kind)
        path = os.path.join(folder, *file.split("/"))
        if not is_plain(file) or not can_be_inside(folder, file):
            raise Refused("%s is no file inside %s" % (file, folder))
        try:
            return files.read_bounded(path, MAX_FILE).decode("utf-8", errors)
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except OSError as error:
            raise Refused("%s: %s" % (path, error.strerror or error)) from None
        except UnicodeError:
            raise Refused("%s is not UTF-8: what is added would not be readable" % path) from None

    def append(self, kind: Kind, file: str, entry: str, head: str) -> None:
        """Add an entry at the end of a file, which gets a heading where it is new."""
        text = self.read_file(kind, file, "strict")
        line = entries.open_code(text)
        if line:
            raise Refused("%s: the code block or comment in line %d is never closed" % (file, line))
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        new = gap + entry if text else "# %s\n\n%s" % (head, entry)
        if "\r\n" in text:
            new = new.replace("\n", "\r\n")
        path = os.path.join(self.folder(kind), *file.split("/"))
        os.makedirs(os.path.dirname(path), mode=self.folder_mode, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        fd = os.open(path, flags, self.file_mode)
        try:
            data = new.encode("utf-8", "replace")
            if os.write(fd, data) != len(data):
                raise OSError("the disk is full; the end of %s holds a part of the entry" % path)
        finally:
            os.close(fd)


def fresh(kind: Kind) -> dict[str, Any]:
    """Return an index of nothing."""
    value: dict[str, Any] = {"lastUpdated": today(), "version": "1.0.0"}
    if kind is KNOWLEDGE:
        value["totalEntries"] = 0
    return {**value, kind.list: []}


def today() -> str:
    return time.strftime("%Y-%m-%d")


def layers(start: str, root: str) -> list[Layer]:
    """Return the user's layer, then the project's: each folder that is there, else the first."""
    tops = roots(start, root)
    there = [(name, top) for name, top in tops[1:] if os.path.isdir(top)]
    found: dict[str, Layer] = {}  # by real path: links may lead to one folder twice
    for name, top in [tops[0], *(there or tops[1:2])]:
        project = "" if name == "user" else root
        found.setdefault(os.path.realpath(top), Layer(name, top, project))
    return list(found.values())


class Turn:
    """Exclusive use of a layer among writers; the lock's file is gone afterwards."""

    def __init__(self, layer: Layer) -> None:
        self.lock = files.Lock(os.path.join(layer.top, ".lock"))

    def __enter__(self) -> None:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                fd = self.lock.__enter__()
            except TimeoutError:
                if time.monotonic() > deadline:
                    raise
                continue
            try:
                if os.path.samestat(os.fstat(fd), os.stat(self.lock.path)):
                    return
            except OSError:  # who held it before has removed it
                pass
            self.lock.__exit__(None, None, None)

    def __exit__(self, *error: Any) -> None:
        try:
            os.unlink(self.lock.path)
        except OSError:  # Windows, while another one waits for it
            pass
        self.lock.__exit__(None, None, None)
