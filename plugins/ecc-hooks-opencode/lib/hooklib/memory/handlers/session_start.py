"""The start of a session: open its journal, apply other journals, import the shared file."""

from __future__ import annotations

import os

from hooklib import limits
from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from hooklib.event import Event
    from hooklib.memory.store.exchange import ImportResult
    from hooklib.memory.store.memory_folder import MemoryFolder

_IMPORT = "import"  # the key of the shared file's stamp when it was last imported
_OWN, _OWN_BYTES = "own-databases.txt", 256_000  # the list of project databases the user made
_GIT_SECONDS = 1.0
_SECONDS = 3.0  # for the import; the rest follows at the next start


def open_session(event: Event) -> None:
    """Open the journal, apply those of killed sessions and import the repository's file."""
    folder = memory_folder.for_event(event)
    journal.record(event, "start", source=event.text("source", 20))
    _check_database(folder)
    if len(journal.sizes(folder)) > 1:
        from hooklib.memory.store import ingest

        ingest.apply_other_journals(folder, event.session_key)
    import_shared_file(folder)


def memories_at_start(event: Event) -> str:
    """Return the important memories, or ''."""
    if not memory_folder.any_database(event):
        return ""
    from hooklib.memory.search import recall

    return recall.for_start(event)


def note_compaction(event: Event) -> None:
    """Record that the context has lost what it was shown."""
    journal.record(event, "compacted")


def import_shared_file(folder: MemoryFolder) -> ImportResult | None:
    """Import the repository's shared file if it changed since the last import."""
    if not os.path.exists(folder.export) or os.path.islink(folder.export):
        return None
    from hooklib.memory.store import database, exchange, memories

    current_stamp = exchange.stamp(folder.export)
    imported_stamp = database.read(folder, lambda c: memories.meta(c, _IMPORT))
    if imported_stamp == current_stamp:
        return None

    def import_memories(connection: Connection) -> ImportResult:
        seconds = limits.scaled(_SECONDS)
        result = exchange.import_file(connection, folder, folder.export, seconds)
        if result.whole:
            memories.set_meta(connection, _IMPORT, current_stamp)
        return result

    return database.write(folder, import_memories)


def _check_database(folder: MemoryFolder) -> None:
    """Set a committed or broken database aside; a large one is checked only when it is used."""
    if not os.path.exists(folder.database):
        return
    from hooklib.memory.store import database

    if _is_committed(folder):
        database.set_aside(folder.database, "foreign")
        return
    small = os.path.getsize(folder.database) <= database.SMALL
    if small and not database.is_sound(folder.database):
        database.set_aside(folder.database)


def _is_committed(folder: MemoryFolder) -> bool:
    """Return whether git tracks the database: then it is somebody else's and not to be trusted.

    Git is asked once per database: it never overwrites a file that it does not track.
    """
    path = folder.database
    if not path.startswith(folder.root + os.sep):
        return False
    from hooklib import files, git

    own_list = os.path.join(memory_folder.user().path, _OWN)
    try:
        if os.fsencode(path) in files.read_tail(own_list, _OWN_BYTES).split(b"\n"):
            return False
    except OSError:
        pass
    result = git.ask(folder.root, ["ls-files", "-z", "--", path], _GIT_SECONDS)
    if not result.code and not result.stdout:
        memory_folder.user().make()
        fd = files.open_end(own_list)
        os.write(fd, os.fsencode(path) + b"\n")
        os.close(fd)
    return not result.code and bool(result.stdout)
