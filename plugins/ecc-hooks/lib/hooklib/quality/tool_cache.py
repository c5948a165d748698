"""Where a checker keeps what makes its next run fast: in the data folder, not in the project."""

from __future__ import annotations

import os

from hooklib import files
from hooklib.quality import session_notes

_KEPT = 10  # places per tool; the ones not used for longest go


def place(tool: str, about: str) -> str:
    """Return the path of a tool's cache for one configuration or root."""
    from binascii import crc32

    folder = session_notes.folder(tool)
    path = os.path.join(folder, "%08x-%x" % (crc32(os.fsencode(about)), len(about)))
    try:
        os.utime(path)
    except OSError:  # the first time
        files.make_private_dir(folder)
        _drop_old(folder)
    return path


def _drop_old(folder: str) -> None:
    found = [entry.path for entry in os.scandir(folder)]
    if len(found) < _KEPT:
        return
    import shutil

    for path in sorted(found, key=os.path.getmtime)[: 1 - _KEPT]:
        if os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
