"""Choose the scope that a call of hookctl memory works on: the project or the user."""

from __future__ import annotations

import os

from hooklib import paths
from hooklib.cli import terminal
from hooklib.memory.store import memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from hooklib.memory.store.memory_folder import MemoryFolder


def project_scope() -> MemoryFolder:
    return memory_folder.project(paths.project_root(paths.start_dir()))


def target(options: argparse.Namespace) -> MemoryFolder:
    return memory_folder.user() if options.user else project_scope()


def of_uri(uri: str) -> MemoryFolder:
    """Return the scope that a memory's URI names."""
    from hooklib.memory.store.entry import is_uri

    if not is_uri(uri):
        raise terminal.Usage("not a memory's URI: %s" % uri)
    return memory_folder.user() if uri.startswith("memory://user/") else project_scope()


def session_key() -> str:
    """Return the key of the session that runs this command, or ''."""
    from hooklib.event import file_name

    id = os.environ.get("CLAUDE_CODE_SESSION_ID") or os.environ.get("CLAUDE_SESSION_ID") or ""
    return file_name(id) if id else ""
