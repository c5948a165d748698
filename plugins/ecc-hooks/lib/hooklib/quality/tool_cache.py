"""Keep the caches of checkers in the data folder, not in the project."""

from __future__ import annotations

import os

from hooklib import files
from hooklib.quality import session_notes

_MOST = 10  # caches per tool; the least recently used are removed


def cache_path(tool: str, subject: str) -> str:
    """Return the path of a tool's cache for one configuration or root."""
    from binascii import crc32

    folder = session_notes.folder(tool)
    path = os.path.join(folder, "%08x-%x" % (crc32(os.fsencode(subject)), len(subject)))
    try:
        os.utime(path)
    except OSError:  # the first time
        files.make_private_dir(folder)
        _drop_old(folder)
    return path


def _drop_old(folder: str) -> None:
    cache_paths = [entry.path for entry in os.scandir(folder)]
    if len(cache_paths) < _MOST:
        return
    import shutil

    for path in sorted(cache_paths, key=os.path.getmtime)[: 1 - _MOST]:
        if os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
