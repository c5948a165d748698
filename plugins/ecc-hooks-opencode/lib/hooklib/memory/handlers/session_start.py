"""The beginning of a session: its record is opened, what others left is taken in."""

from __future__ import annotations

import os

from hooklib import limits
from hooklib.memory.store import journal, memory_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from hooklib.event import Event
    from hooklib.memory.store.exchange import Imported
    from hooklib.memory.store.memory_folder import Place

_IMPORT = "import"  # what the shared file was when it was last read
_OWN, _OWN_BYTES = "own-databases.txt", 256_000  # which databases in projects are the user's
_GIT_SECONDS = 1.0
_SECONDS = 3.0  # for reading it; the rest follows at the next start


def begin(event: Event) -> None:
    """Open the record; take in what killed sessions and the repository brought."""
    place = memory_folder.of(event)
    journal.note(event, "start", source=event.text("source", 20))
    _check(place)
    if len(journal.sizes(place)) > 1:
        from hooklib.memory.store import ingest

        ingest.fold_others(place, event.session_key)
    take_in(place)


def told(event: Event) -> str:
    """Return the important memories, '' where there are none."""
    if not memory_folder.any_there(event):
        return ""
    from hooklib.memory.search import recall

    return recall.at_start(event)


def compacted(event: Event) -> None:
    """Note that the context has lost what it was told."""
    journal.note(event, "compacted")


def take_in(place: Place) -> Imported | None:
    """Read the repository's shared file where it has changed since the last time."""
    if not os.path.exists(place.export) or os.path.islink(place.export):
        return None
    from hooklib.memory.store import database, exchange, memories

    now = exchange.stamp(place.export)
    if database.read(place, lambda connection: memories.meta(connection, _IMPORT)) == now:
        return None

    def work(connection: Connection) -> Imported:
        done = exchange.take(connection, place, place.export, limits.scaled(_SECONDS))
        if done.whole:
            memories.set_meta(connection, _IMPORT, now)
        return done

    return database.write(place, work)


def _check(place: Place) -> None:
    """Set a broken database aside; a large one is found out when it is used."""
    if not os.path.exists(place.database):
        return
    from hooklib.memory.store import database

    if _came_along(place):
        database.set_aside(place.database, "foreign")
        return
    small = os.path.getsize(place.database) <= database.SMALL
    if small and not database.is_sound(place.database):
        database.set_aside(place.database)


def _came_along(place: Place) -> bool:
    """Return whether the database is committed: then it is not the user's, whatever it says.

    Git is asked once: it never puts a file in the place of one that it does not know.
    """
    path = place.database
    if not path.startswith(place.root + os.sep):
        return False
    from hooklib import files, git

    known = os.path.join(memory_folder.user().path, _OWN)
    try:
        if os.fsencode(path) in files.read_tail(known, _OWN_BYTES).split(b"\n"):
            return False
    except OSError:
        pass
    done = git.ask(place.root, ["ls-files", "-z", "--", path], _GIT_SECONDS)
    if not done.code and not done.stdout:
        memory_folder.user().make()
        fd = files.open_end(known)
        os.write(fd, os.fsencode(path) + b"\n")
        os.close(fd)
    return not done.code and bool(done.stdout)
