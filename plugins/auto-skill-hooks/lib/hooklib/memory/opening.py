"""The beginning of a session: its record is opened, what others left is taken in."""

from __future__ import annotations

import os

from hooklib.memory import place as places
from hooklib.memory import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from hooklib.event import Event
    from hooklib.memory.exchange import Imported
    from hooklib.memory.place import Place

_IMPORT = "import"  # what the shared file was when it was last read
_SECONDS = 3.0  # for reading it; the rest follows at the next start


def begin(event: Event) -> None:
    """Open the record; take in what killed sessions and the repository brought."""
    place = places.of(event)
    record.note(event, "start", source=event.text("source", 20))
    _check(place)
    if len(record.sizes(place)) > 1:
        from hooklib.memory import fold

        fold.fold_others(place, event.session_key)
    take_in(place)


def told(event: Event) -> str:
    """Return the important memories, '' where there are none."""
    if not places.any_there(event):
        return ""
    from hooklib.memory import recall

    return recall.at_start(event)


def compacted(event: Event) -> None:
    """Note that the context has lost what it was told."""
    record.note(event, "compacted")


def take_in(place: Place) -> Imported | None:
    """Read the repository's shared file where it has changed since the last time."""
    if not os.path.exists(place.export) or os.path.islink(place.export):
        return None
    from hooklib.memory import database, exchange, store

    now = exchange.stamp(place.export)
    if database.read(place, lambda connection: store.meta(connection, _IMPORT)) == now:
        return None

    def work(connection: Connection) -> Imported:
        done = exchange.take(connection, place, place.export, _SECONDS)
        if done.whole:
            store.set_meta(connection, _IMPORT, now)
        return done

    return database.write(place, work)


def _check(place: Place) -> None:
    """Set a broken database aside; a large one is found out when it is used."""
    if not os.path.exists(place.database):
        return
    from hooklib.memory import database

    small = os.path.getsize(place.database) <= database.SMALL
    if small and not database.is_sound(place.database):
        database.set_aside(place.database)
