"""SQLite without the sqlite3 package, which imports more than a whole hook costs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection, DatabaseError, OperationalError, connect
else:
    try:
        from _sqlite3 import Connection, DatabaseError, OperationalError, connect
    except ImportError:  # not CPython, or one that was built without it
        from sqlite3 import Connection, DatabaseError, OperationalError, connect

__all__ = ["Connection", "DatabaseError", "OperationalError", "connect"]
