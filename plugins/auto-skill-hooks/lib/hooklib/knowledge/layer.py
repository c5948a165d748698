"""Write into one layer: append entries and update the index, without losing what people wrote.

Entries are appended, so an editor that saves at the same moment loses nothing. The index is
replaced as a whole and keeps fields that this code does not know. A lock serialises writers.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time

from hooklib import files
from hooklib.knowledge import entries
from hooklib.knowledge.note_folders import (
    INDEX,
    KINDS,
    KNOWLEDGE,
    can_be_inside,
    is_plain,
    layer_folders,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooklib.knowledge.note_folders import Kind

MAX_FILE = 16_000_000  # bytes
_LOCK_SECONDS = 20.0  # a person waits here, not a host


class Refused(Exception):
    """The layer cannot be read or written; the message says why."""


class Layer:
    """One auto-skill folder to write into: the user's private one, or the project's."""

    def __init__(self, name: str, top: str, project: str = "") -> None:
        self.name = name
        self.top = top
        self.project = project
        self.file_mode = 0o600 if name == "user" else 0o644
        self.folder_mode = 0o700 if name == "user" else 0o755

    def folder(self, kind: Kind) -> str:
        return os.path.join(self.top, kind.folder)

    def make(self) -> list[str]:
        """Create the missing folders and indexes of the layer; return the new indexes."""
        created = []
        for kind in KINDS:
            self.make_folder(kind)
        with LayerLock(self):
            for kind in KINDS:
                path = os.path.join(self.folder(kind), INDEX)
                if not os.path.lexists(path):
                    self.save(kind, empty_index(kind))
                    created.append(path)
        return created

    def make_folder(self, kind: Kind) -> None:
        self.check_inside_project()
        os.makedirs(self.folder(kind), mode=self.folder_mode, exist_ok=True)

    def check_inside_project(self) -> None:
        """Raise Refused if a link leads out of the project, as a cloned repository may have one."""
        if not self.project:
            return
        project = os.path.realpath(self.project).rstrip(os.sep) + os.sep
        for kind in KINDS:
            path = os.path.join(self.folder(kind), INDEX)
            real = os.path.realpath(path)
            if not real.startswith(project):
                raise Refused("%s leads out of the project, to %s" % (path, real))

    def load(self, kind: Kind) -> dict[str, Any]:
        """Return the index, an empty one if it does not exist; raise Refused if it is unusable."""
        path = os.path.join(self.folder(kind), INDEX)
        try:
            index = json.loads(files.read_bounded(path, MAX_FILE).decode("utf-8-sig"))
        except FileNotFoundError:
            return empty_index(kind)
        except OSError as error:
            raise Refused("%s: %s" % (path, error.strerror or error)) from None
        except (ValueError, RecursionError):
            raise Refused("%s is not JSON" % path) from None
        if not isinstance(index, dict) or not isinstance(index.get(kind.list_key, []), list):
            raise Refused("%s has no list of %s" % (path, kind.list_key))
        index.setdefault(kind.list_key, [])
        return index

    def save(self, kind: Kind, index: dict[str, Any]) -> None:
        """Replace the index, keeping its indentation and its mode."""
        self.check_inside_project()
        path = os.path.join(self.folder(kind), INDEX)
        indent, mode = "  ", self.file_mode
        try:
            old = files.read_head(path, 4096).decode("utf-8", "replace")
            match = re.search(r'\n([ \t]+)"', old)
            indent = match[1] if match else indent
            mode = stat.S_IMODE(os.stat(path).st_mode)
        except OSError:
            pass
        text = json.dumps(index, indent=indent, ensure_ascii=False) + "\n"
        # half a surrogate pair can be written in JSON only as an escape
        text = re.sub("[\ud800-\udfff]", lambda half: "\\u%04x" % ord(half[0]), text)
        target = os.path.realpath(path)
        files.write_atomic(target, text.encode("utf-8"), mode)

    def read_file(self, kind: Kind, file: str, errors: str = "replace") -> str:
        """Return the text of a file, or '' if it does not exist yet."""
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

    def append(self, kind: Kind, file: str, entry: str, title: str) -> None:
        """Append an entry to a file; a new file begins with a heading."""
        text = self.read_file(kind, file, "strict")
        line = entries.unclosed_line(text)
        if line:
            raise Refused("%s: the code block or comment in line %d is never closed" % (file, line))
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        addition = gap + entry if text else "# %s\n\n%s" % (title, entry)
        if "\r\n" in text:
            addition = addition.replace("\n", "\r\n")
        path = os.path.join(self.folder(kind), *file.split("/"))
        os.makedirs(os.path.dirname(path), mode=self.folder_mode, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        fd = os.open(path, flags, self.file_mode)
        try:
            data = addition.encode("utf-8", "replace")
            if os.write(fd, data) != len(data):
                raise OSError("the disk is full; the end of %s holds a part of the entry" % path)
        finally:
            os.close(fd)


def empty_index(kind: Kind) -> dict[str, Any]:
    """Return an index without entries."""
    index: dict[str, Any] = {"lastUpdated": today(), "version": "1.0.0"}
    if kind is KNOWLEDGE:
        index["totalEntries"] = 0
    return {**index, kind.list_key: []}


def today() -> str:
    return time.strftime("%Y-%m-%d")


def layers(start: str, root: str) -> list[Layer]:
    """Return the user's layer, then the project's: its existing folders, or else the first."""
    folders = layer_folders(start, root)
    existing = [(name, top) for name, top in folders[1:] if os.path.isdir(top)]
    layers_by_path: dict[str, Layer] = {}  # by real path: links may lead to one folder twice
    for name, top in [folders[0], *(existing or folders[1:2])]:
        project = "" if name == "user" else root
        layers_by_path.setdefault(os.path.realpath(top), Layer(name, top, project))
    return list(layers_by_path.values())


class LayerLock:
    """Exclusive use of a layer among writers; the lock file is removed afterwards."""

    def __init__(self, layer: Layer) -> None:
        self.lock = files.Lock(os.path.join(layer.top, ".lock"))

    def __enter__(self) -> None:
        deadline = time.monotonic() + _LOCK_SECONDS
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
            except OSError:  # the previous owner removed the file
                pass
            self.lock.__exit__(None, None, None)

    def __exit__(self, *error: Any) -> None:
        try:
            os.unlink(self.lock.path)
        except OSError:  # on Windows, while another process waits for the lock
            pass
        self.lock.__exit__(None, None, None)
