"""One memory: its fields, checked, cleaned and without secrets, and its URI."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS = ("core", "decision", "pattern", "structure", "solution", "preference", "note")
PRIORITIES = {"core": 1}  # defaults by kind; a priority of 2 or less is shown at the start
PRIORITY = 3
LOWEST = 5
TITLE, BODY = 200, 8_000  # bytes
_TAGS, _TAG, _GLOBS, _GLOB, _SLUG = 12, 40, 20, 200, 60
SCHEME = "memory://"


class Memory:
    """A memory as it is stored."""

    __slots__ = (
        "id",
        "uri",
        "kind",
        "title",
        "body",
        "tags",
        "globs",
        "priority",
        "source",
        "created",
        "updated",
        "used",
        "uses",
        "superseded",
        "confidence",
        "session",
    )

    def __init__(
        self,
        kind: str,
        title: str,
        body: str = "",
        tags: Iterable[str] = (),
        globs: Iterable[str] = (),
        priority: int | None = None,
        source: str = "user",
        confidence: float = 1.0,
        session: str = "",
    ) -> None:
        """Check and clean the fields; raise ValueError for an unknown kind or an empty title."""
        from hooklib.memory.store.file_globs import normalised

        if kind not in KINDS:
            raise ValueError("no such kind: %s" % kind)
        self.id = 0
        self.uri = ""
        self.kind = kind
        self.title = " ".join(cleaned(title, TITLE).split())
        if not self.title:
            raise ValueError("a memory needs a title")
        self.body = cleaned(body, BODY)
        self.tags = _few((tag.lower() for tag in tags), _TAGS, _TAG)
        self.globs = _few(map(normalised, globs), _GLOBS, _GLOB)
        if priority is None:
            priority = PRIORITIES.get(kind, PRIORITY)
        self.priority = min(max(priority, 0), LOWEST)
        self.source = cleaned(source, 60)
        self.confidence = min(max(confidence, 0.0), 1.0)
        self.session = session  # the session whose end removes it, or '' if it stays
        self.created = self.updated = self.used = self.superseded = ""
        self.uses = 0

    @property
    def content(self) -> tuple[object, ...]:
        """The fields by which two versions of a memory differ."""
        return (self.kind, self.title, self.body, self.tags, self.globs, self.priority)

    @property
    def stamp(self) -> str:
        """The id and a checksum of this version of the memory; the journal records it as shown."""
        from binascii import crc32

        sum_ = crc32(repr((self.title, self.body)).encode("utf-8", "replace"))
        return "%s:%d %08x" % (self.uri.split("/")[2], self.id, sum_)


def cleaned(text: str, limit: int) -> str:
    from hooklib.sanitize import clean

    return clean(text, limit)


def slug(title: str) -> str:
    """Return the last part of a URI: the words of the title, joined."""
    signs = "".join(char.lower() if char.isalnum() else " " for char in title)
    name = "-".join(signs.split())[:_SLUG].rstrip("-")
    if name:
        return name
    from binascii import crc32

    return "%08x" % crc32(title.encode("utf-8", "replace"))


def is_uri(text: str) -> bool:
    scope, _, rest = text[len(SCHEME) :].partition("/")
    kind, _, name = rest.partition("/")
    return text.startswith(SCHEME) and scope in ("project", "user") and kind in KINDS and bool(name)


def _few(texts: Iterable[str], count: int, limit: int) -> list[str]:
    """Return the first distinct texts, each on one line and shortened."""
    lines = (" ".join(cleaned(text, limit).split()) for text in texts)
    return list(dict.fromkeys(line for line in lines if line))[:count]
