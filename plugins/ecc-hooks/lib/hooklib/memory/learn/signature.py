"""The signature of a failure: the part of its output that is the same when it happens again."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_HEAD, _TAIL = 8_000, 12_000  # characters to search: compilers begin with errors, tests end so
_LINE, _LINES, _KEPT, _LONGEST = 400, 2_000, 5, 160

# Patterns of lines that say what failed; groups mark the part to use. The first set to match wins.
_EXACT = (
    r"^ *(?:E +)?((?:[A-Za-z_][\w.$]*\.)?[A-Z]\w*(?:Error|Exception|Failure|Interrupt|Timeout|Exit"
    r"|NotFound|Warning|Refused|DoesNotExist|Fault)\w*(?: \[\w+\])?(?::.*)?)$",  # Python, node
    r"^(?:Uncaught |Unhandled |Caused by: )((?:[\w.$]+\.)?\w*(?:Error|Exception)\b.*)$",
    r"^E +(assert .*)$",  # pytest
    r"^(?:FAILED|ERROR) (\S+?::.*?)(?: - .*)?$",
    r"^(?:FAIL|ERROR): (\w+ \([\w.]+\))",  # unittest
    r"^ *● ([^›]+ › .*)$",  # jest
    r"^ *(?:✕|✖|×|✗) (?!\d+ problem)(.{3,}?)(?: \(?[\d.]+ ?m?s\)?)?$",
    r"^ *FAIL +(\S+ > .*)$",  # vitest
    r"^ *not ok \d* ?-? ?(.*?)(?: # .*)?$",  # TAP
    r"^ *--- FAIL: (\S+)",  # go
    r"^ *\w+_test\.go:\d+: (.*)$",
    r"^(panic: .*)$",
    r"^test (\S+) \.\.\. FAILED$",  # cargo
    r"^thread '[^']*' (?:\(\d+\) )?(panicked at '.*'|panicked)",
    r"^(assertion .* failed.*)$",
    r"^(error\[E\d+\]: .*)$",
    r"^\d+\) ([\w\\]+::\w+.*)$",  # phpunit
    r"^(Failed asserting that .*)$",
    r"^(?:PHP )?((?:Fatal|Parse|Catchable fatal) error: .*?)(?: in \S+(?: on line \d+)?)?$",
    r"^Exception in thread \"[^\"]*\" (.*)$",  # java
    r"^ *((?:[\w$]+\.)+\w*(?:Exception|Error)\b.*)$",
    r"^\[ERROR\] +(?:\S*\.)?(\w+\.\w+):\d+.*?((?:expected|expecting|»).*)$",
    r"^(\w+(?:\[\w+\])? > [^>]+) FAILED$",  # gradle
    r"^rspec \S+ # (.*)$",
)
_PLACED = (
    r"^\S+\(\d+,\d+\): (error \w+: .*)$",  # tsc
    r"^\S+?:\d+:\d+ - (error \w+: .*)$",
    r"^\S+?:\d+(?::\d+)?: ((?:fatal )?error: .*)$",  # gcc, mypy
    r"^\S+\.java:\d+: (error: .*)$",
    r"^ *\d+:\d+ +error +(.*)$",  # eslint
    r"^\S+?:\d+:\d+: ([A-Z]+\d+ .*)$",  # flake8, ruff
    r"^\S+\.go:\d+:\d+: (.*)$",
    r"^(?:\S+/)?ld: (?!.*: in function )(.*)$",
    r"^.*?: (undefined reference to .*)$",
    r"^(?:\S*sh: )?(?:line \d+: |\d+: )?(?:\S*: )?(\S+: (?:command )?not found)$",  # shells
    r"^(?:\S*sh: )?(?:line \d+: )?(.*: (?:No such file or directory|Permission denied))$",
    r"^(?:npm )(?:ERR!|error) (code E\w+|Missing script: .*|ERESOLVE .*|\d{3} .*)$",
    r"^(fatal: .*)$",  # git
    r"^(CONFLICT \(.*?\)): .*$",
    r"^ ! \[(?:remote )?(rejected)\] .*(\(.*\))$",
    r"^(error: .*)$",
    r"^(ERROR: .*)$",  # pip
    r"^\[ERROR\] +(?!\[|Failed to execute|To see|Re-run|For more|->|$)(.*)$",
    r"^(e: .*|w: .*)$",  # kotlin
)
_SUMMARY = (
    r"^(?:g?make|ninja)(?:\[\d+\])?: (?:\*\*\* )(?:\[[^\]]*?([\w.-]+)\] )?(.*)$",
    r"^(.*\b(?:[Ee]rror|ERROR|[Ff]ail(?:ed|ure)?|FAILED|FAIL|[Cc]annot|[Cc]an't|[Uu]nable"
    r"|not found|[Dd]enied|[Ii]nvalid|[Mm]issing|[Uu]nexpected|[Uu]ndefined|refused|timed out"
    r"|[Cc]onflict|rejected|[Aa]borted|No such|not permitted|[Uu]nknown|[Uu]nrecognized"
    r"|unresolved|mismatch|expected|does not exist|already exists)\b.*)$",
    r"^(.*(?:错误|錯誤|失败|失敗|找不到|无法|無法|拒绝|拒絕|不存在|未定义|未定義).*)$",
)
_NOTHING = (  # counts of what failed, and advice
    r"^(?:=+ .* =+|Tests?(?: Suites| Files)?:? +\d.*|Test Suites: .*|\d+ (?:failed|failing|passed)"
    r".*|Found \d+ errors?.*|✖ \d+ problems?.*|FAILED \(.*\)|error: (?:could not compile"
    r"|test failed|aborting due).*|error: script .* exited.*|npm (?:ERR!|error) (?:Lifecycle|errno"
    r"|path|command|A complete log).*|error: Recipe .*|error Command failed.*|To see the full .*)$"
)
# What differs between runs and checkouts, and its replacement.
_VARYING = (
    (r"[‘’“”`\"]", "'"),
    (r" ?Note: your current working directory is .*", ""),
    (r"\b[a-z][a-z0-9+.-]{1,10}://[^\s'<>)]*", "<url>"),
    (r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?", "<time>"),
    (r"\b\d\d?:\d\d:\d\d(?:[.,]\d+)?\b", "<time>"),
    (r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b", "<id>"),
    (r"\b0x[0-9a-fA-F]+\b", "<hex>"),
    (r"(?:\b[A-Za-z]:(?=[\\/]))?(?:~|\.{1,2})?[\\/]?(?:[\w.@+-]+[\\/])+(?:[\w.@+-]*)", None),
    (r"(?<![\w.])/[\w.@+-]+", None),
    (r"\b(?:tmp|temp)[._-]?\w*\d\w*\b|\btmp[._-]?\w{6,}\b|\btmp\.\w+\b", "<tmp>"),
    (r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b", "<hash>"),
    (r"\b(?=\w*\d)(?=\w*[A-Za-z])\w{24,}\b", "<id>"),
    (r"\bcc\w{6}\.o\b", "<tmp>"),
    (
        r" ?\(?\b(?:\d+m )?\d+(?:\.\d+)? ?(?:ms|µs|ns|s|sec|secs|seconds|min|m\d+(?:\.\d+)?s)\b\)?",
        "",
    ),
    (r"(?:[:(,]\d+)+(?:\)|\b):?", ""),
    (r"(?<![\w.])(?<!status )(?<!code )(?<!HTTP )[-+]?\d[\d.,_]*(?![\w])", "N"),
    (r"\bN(?:[ ,.x/:-]+N)+\b", "N"),
    (r"\s+", " "),
)
# Errors that say little without their file, and the lines in which Python and node name it.
_ANYWHERE = r"(?:Syntax|Indentation|Tab|Assertion|Key|Index|Attribute|Type|Name)Error\b.{0,60}$"
_FILE = r" *File \"([^\"]+)\", line \d|(\S+\.[cm]?[jt]s):\d+$"
_TEMPORARY = ("/tmp", "/var")  # noqa: S108


def of_error(text: str) -> str:
    """Return a failed command's signature, at most five lines, or ''."""
    import re

    from hooklib.text import strip_ansi

    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD].rpartition("\n")[0] + "\n" + text[-_TAIL:].partition("\n")[2]
    nothing = re.compile(_NOTHING)
    lines = []
    for line in strip_ansi(text).splitlines()[:_LINES]:
        plain = line.rstrip()[:_LINE]
        if plain and not plain.startswith("Exit code ") and not nothing.match(plain.strip()):
            lines.append(plain)
    for patterns in (_EXACT, _PLACED, _SUMMARY):
        signatures = _matching_lines(lines, patterns)
        if signatures:
            return "\n".join(sorted(signatures)[:_KEPT]) + _place(lines, signatures)
    return ""


def _place(lines: list[str], signatures: set[str]) -> str:
    """Return " in FILE" for an error that is too common without its file, or ''."""
    import re

    if len(signatures) == 1 and re.match(_ANYWHERE, next(iter(signatures))):
        for line in reversed(lines):
            match = re.match(_FILE, line)
            if match:
                return " in " + re.split(r"[\\/]", match.group(1) or match.group(2))[-1]
    return ""


def _matching_lines(lines: list[str], patterns: tuple[str, ...]) -> set[str]:
    import re

    compiled = [re.compile(pattern) for pattern in patterns]
    signatures: set[str] = set()
    for line in lines:
        for pattern in compiled:
            match = pattern.match(line)
            if match:
                signature = _normal(" ".join(part for part in match.groups() if part))
                if sum(char.isalpha() for char in signature) > 3:
                    signatures.add(signature)
                break
    return signatures


def _normal(line: str) -> str:
    import re

    for pattern, mark in _VARYING:
        line = re.sub(pattern, _base_name if mark is None else mark, line)
    return line.strip(" .:,-")[:_LONGEST].rstrip()


def _base_name(match: Match[str]) -> str:
    """Return the last part of a path, which is the same in another checkout."""
    path = match.group().replace("\\", "/")
    name = path.rstrip("/").rpartition("/")[2]
    return name if "." in name or not path.startswith(_TEMPORARY) else "<tmp>"
