"""Run the actions of `hookctl memory`."""

from __future__ import annotations

import glob
import os
import sys

from hooklib.cli import memory_scope, terminal
from hooklib.memory.search import full_text
from hooklib.memory.store import database, exchange, ingest, journal, memories, memory_folder
from hooklib.memory.store.entry import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from sqlite3 import Connection
    from typing import Any

    from hooklib.memory.store.memory_folder import MemoryFolder

_MAX_BODY = 100_000
_SHOWN = 50


def do_add(options: argparse.Namespace) -> terminal.Reply:
    place = memory_scope.target(options)
    session = memory_scope.session_key()
    if options.temporary and not session:
        raise terminal.Problem("a temporary memory needs a session, and this is none")
    memory = Memory(
        options.kind, options.title, _body(options) or "", options.tag or [],
        options.file or [], options.priority, session=session if options.temporary else "",
    )  # fmt: skip

    def work(connection: Connection) -> bool:
        new = memories.add(connection, memory, place.scope)
        for uri in options.supersedes:
            old = memories.get(connection, uri)
            if old is None:
                raise terminal.Problem("no such memory: %s" % uri)
            memories.supersede(connection, old, memory.uri)
        return new

    new = database.write(place, work)
    journal.mark_saved(memory_scope.project_scope(), session)
    return terminal.Reply(_data(memory), [("stored " if new else "already stored: ") + memory.uri])


def do_list(options: argparse.Namespace) -> terminal.Reply:
    where, values = "superseded = ''" if not options.all else "1", []
    if options.kind:
        where += " AND kind = ?"
        values.append(options.kind)
    where += " ORDER BY priority, id DESC"
    scopes = [memory_folder.user()]
    if not options.user:
        scopes.insert(0, memory_scope.project_scope())
    found: list[Memory] = []
    for place in scopes:
        found += database.read(place, lambda c: memories.select(c, where, values)) or []
    if options.tag:
        found = [memory for memory in found if options.tag.lower() in memory.tags]
    return terminal.Reply([_data(memory) for memory in found], _table(found))


def do_show(options: argparse.Namespace) -> terminal.Reply:
    memory = _get(options.uri)
    data = _data(memory)
    lines = [terminal.visible("%s: %s" % (name, data[name])) for name in data if name != "body"]
    return terminal.Reply(data, [*lines, "", *map(terminal.visible, memory.body.split("\n"))])


def do_search(options: argparse.Namespace) -> terminal.Reply:
    project = memory_scope.project_scope()
    files = [memory_folder.relative(project, os.path.abspath(path)) for path in options.file]
    text = " ".join(options.word)
    hits: list[full_text.Hit] = []
    for place in (project, memory_folder.user()):
        hits += database.read(place, lambda c: full_text.best_hits(c, text, files, 10)) or []
    hits.sort(key=lambda hit: -hit.score)
    found = [hit.memory for hit in hits]
    return terminal.Reply([_data(memory) for memory in found], _table(found))


def do_edit(options: argparse.Namespace) -> terminal.Reply:
    place = memory_scope.of_uri(options.uri)
    body = _body(options)

    def work(connection: Connection) -> Memory:
        old = memories.get(connection, options.uri)
        if old is None:
            raise terminal.Problem("no such memory: %s" % options.uri)
        new = Memory(
            old.kind,
            old.title if options.title is None else options.title,
            old.body if body is None else body,
            old.tags if options.tag is None else options.tag,
            old.globs if options.file is None else options.file,
            old.priority if options.priority is None else options.priority,
            "user",
            1.0,
            old.session,
        )
        if new.content != old.content:
            memories.replace(connection, old, new)
        return new

    memory = database.write(place, work)
    return terminal.Reply(_data(memory), ["stored " + options.uri])


def do_forget(options: argparse.Namespace) -> terminal.Reply:
    lines = []
    for place in {uri.split("/")[2]: memory_scope.of_uri(uri) for uri in options.uri}.values():
        uris = [uri for uri in options.uri if uri.split("/")[2] == place.scope]
        lines += _forget(place, uris)
    return terminal.Reply({"forgotten": options.uri}, lines)


def _forget(place: MemoryFolder, uris: list[str]) -> list[str]:
    for uri in uris:
        _get(uri)

    def work(connection: Connection) -> None:
        for uri in uris:
            versions = [*memories.versions(connection, uri), memories.get(connection, uri)]
            memories.delete(connection, [memory for memory in versions if memory])

    database.write(place, work)
    if not database.rewrite(place):
        raise terminal.Problem("removed, but another process has the database open: run this again")
    lines = ["forgot " + uri for uri in uris]
    if exchange.remove_uris(place.export, set(uris)):
        lines.append("removed from %s; git's history may still contain it" % place.export)
    for aside in glob.glob(glob.escape(place.database) + ".corrupt-*"):
        lines.append("a broken database that was set aside may still contain it: " + aside)
    return lines


def do_export(options: argparse.Namespace) -> terminal.Reply:
    place = memory_scope.target(options)
    texts = database.read(place, exchange.lines) or []
    if options.file == "-":
        return terminal.Reply(texts, texts)
    path = options.file or place.export
    place.make()
    exchange.write(path, texts)
    return terminal.Reply(
        {"file": path, "memories": len(texts)}, ["%d memories in %s" % (len(texts), path)]
    )


def do_import(options: argparse.Namespace) -> terminal.Reply:
    place = memory_scope.target(options)
    path = os.path.abspath(options.file) if options.file else place.export
    imported = database.write(place, lambda c: exchange.import_file(c, place, path))
    data = {name: getattr(imported, name) for name in imported.__slots__}
    return terminal.Reply(data, [str(imported)], 1 if imported.bad else 0)


def do_stats(options: argparse.Namespace) -> terminal.Reply:
    data, lines = [], []
    for place in (memory_scope.project_scope(), memory_folder.user()):
        exists = os.path.exists(place.database)
        sound = not exists or database.is_sound(place.database)
        kinds = dict((database.read(place, _kinds) if sound else None) or [])
        total, size = sum(kinds.values()), os.path.getsize(place.database) if exists else 0
        data.append({
            "scope": place.scope, "file": place.database, "memories": total, "kinds": kinds,
            "bytes": size, "sound": sound,
        })  # fmt: skip
        parts = ", ".join("%d %s" % (count, kind) for kind, count in kinds.items())
        state = "%d bytes" % size if sound else "BROKEN: the next hook sets it aside"
        path = terminal.short_path(place.database)
        lines.append(
            "%s: %d memories%s, %s  %s"
            % (place.scope, total, parts and " (%s)" % parts, state, path)
        )
    return terminal.Reply(data, lines, 0 if all(scope["sound"] for scope in data) else 1)


def _kinds(connection: Connection) -> list[tuple[str, int]]:
    sql = "SELECT kind, count(*) FROM memory WHERE superseded = '' GROUP BY kind ORDER BY kind"
    return connection.execute(sql).fetchall()


def do_preferences(options: argparse.Namespace) -> terminal.Reply:
    from hooklib.cli import habits_table
    from hooklib.memory.learn import permission_habits

    place = memory_scope.project_scope()
    ingest.apply_all_journals(place)
    return habits_table.reply(database.read(place, permission_habits.rows) or [])


def _get(uri: str) -> Memory:
    place = memory_scope.of_uri(uri)
    memory = database.read(place, lambda c: memories.get(c, uri))
    if memory is None:
        raise terminal.Problem("no such memory: %s" % uri)
    return memory


def _body(options: argparse.Namespace) -> str | None:
    if options.body != "-":
        text: str | None = options.body
        return text
    return sys.stdin.buffer.read(_MAX_BODY).decode("utf-8", "replace")


def _data(memory: Memory) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in memory.__slots__ if name != "id"}


def _table(memories: list[Memory]) -> list[str]:
    rows = [(m.priority, m.uri, m.title) for m in memories[:_SHOWN]]
    lines = terminal.table([("PRIORITY", "URI", "TITLE"), *rows]) if rows else ["nothing found"]
    if len(memories) > _SHOWN:
        lines.append("and %d more" % (len(memories) - _SHOWN))
    return lines
