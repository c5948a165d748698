"""Replace secrets in text by a marker that leaves visible what kind of secret each one was."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

MARK = "[redacted]"

# The lines of a private key, as they are or inside a string, also where the last are missing.
_GAP = r"(?:[\s\"',>|]|\\{1,3}[nr]|\d{1,5}[\t→]|[A-Z][\w-]{2,20}: [^\n\\]{0,80}(?=[\n\\]))*"
_LAST = rf"{_GAP}[\w+/=]{{4,64}}(?={_GAP}-----END)"
_PEM = rf"(?:(?:{_GAP}[A-Za-z0-9+/=]{{16,}})+(?:{_LAST})?|{_LAST})"
# A password as it is typed, not a variable nor a gap to fill in; in an address no port, no digest.
_TYPED = r"(?![$<{\[*(]|%[sv({]|\.\.\.)[^\s\"'\\]+"
_IN_URL = r"(?![$<{\[*(]|%[sv({]|\.\.\.|\d{2,5}[,;)])[^\s/?\"'<>\\]+(?=@(?!sha256:))"
# Secrets known by their shape or place: words to look for first, what stays, what goes. A
# pattern is compiled only where one of its words occurs: most text does not pay for `re`.
_ANYWHERE = (
    ("PRIVATE KEY", r"-----BEGIN [A-Z ]{0,32}PRIVATE KEY(?: BLOCK)?-----", _PEM),
    ("://", r"://[^\s/:@\"'<>\[\\]{0,128}:", _IN_URL),
    ("sig=", r"[?&;]sig=", r"[\w%+/=-]{20,}"),  # Azure's signed addresses
)
_AT_AN_EDGE = (
    ("sk-ant-", r"sk-ant-", r"[\w-]{12,}"),  # Anthropic
    ("sk-", r"sk-(?:proj|svcacct|admin)-", r"[\w-]{16,}"),  # OpenAI
    ("sk-", r"sk-(?:[a-z]{2,8}-)?(?:v1-)?", r"[A-Za-z0-9]{20,}"),  # it and its likes
    ("ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_", r"\w{16,}"),  # GitHub
    ("github_pat_", r"github_pat_", r"\w{16,}"),
    ("glpat- gldt- glrt-", r"gl(?:pat|dt|rt)-", r"[\w-]{16,}"),  # GitLab
    ("xox xapp-", r"(?:xox[a-z]|xapp)-", r"[\w-]{10,}"),  # Slack
    ("hooks.slack.com", r"hooks\.slack\.com/[a-z]+/", r"[\w/]{16,}"),
    ("AKIA ASIA", r"A[KS]IA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),  # AWS
    ("AIza", r"AIza", r"[\w-]{30,}"),  # Google
    ("ya29. GOCSPX-", r"(?:ya29\.|GOCSPX-)", r"[\w-]{16,}"),
    ("npm_ hf_", r"(?:npm|hf)_", r"[A-Za-z0-9]{30,}"),  # npm, Hugging Face
    ("pypi-", r"pypi-", r"(?=[\w-]{0,60}[A-Z])[\w-]{32,}"),
    ("SG.", r"(?<![_-])SG\.", r"[\w-]{16,}\.[\w-]{16,}"),  # SendGrid
    ("_live_ _test_", r"[sr]k_(?:live|test)_", r"[A-Za-z0-9]{10,}"),  # Stripe
    ("whsec_", r"whsec_", r"[A-Za-z0-9+/=]{16,}"),
    ("_v1_", r"do[opr]_v1_", r"[A-Za-z0-9]{32,}"),  # DigitalOcean
    ("shp", r"shp(?:at|ca|pa|ss)_", r"[A-Za-z0-9]{24,}"),  # Shopify
    (":AA telegram", r"(?:bot)?\d{6,12}:", r"[\w-]{35}(?![\w-])"),
    ("AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1?", r"[0-9A-Za-z]{20,}"),
    # a JSON web token, also where the signature is missing
    ("eyJ", r"(?<![_-])eyJ", r"[\w-]{8,}\.(?:eyJ[\w-]*|[\w-]{8,}\.[\w-]{8,})(?:\.{1,2}[\w-]+)*"),
    ("sshpass", r"sshpass\s{1,8}-p ?[\\\"']{0,4}", _TYPED),
    ("login", r"login\s{1,8}\S{1,64}\s{1,8}password\s{1,8}", _TYPED),  # netrc
    ("IDENTIFIED PASSWORD", r"(?:IDENTIFIED BY|PASSWORD) [\\\"']{1,4}", _TYPED),  # SQL
)
# Not inside a word; but an escaped newline, a %3D or a terminal's colour does not make a word.
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2})|(?<=[\[;]\dm)|(?<=[\[;]\d\dm))"
# The same on the line of a command.
_COMMANDS = (
    ("curl", r"\s(?:-\w{0,6}u ?|--(?:proxy-)?user[ =])[\\\"']{0,4}[^\s:\"'$<\\]{1,64}:", _TYPED),
    ("mysql", r"\s-p[\\\"']{0,4}", _TYPED),
)
_LINE = r"[\w.-]{0,8}[ \t](?:\\\n|\\{2,}n|(?!\\n)[^\n])*"

# Values known by their name: words to look for first, the name, what may stand in between.
_HINTS = "pass pwd secret token key credential auth bearer 密码 密碼 口令 密钥 密鑰 令牌"
_NAME = (
    r"(?:(?<![\\\w-])|(?<=\\[nrt])|(?<=\\)(?![nrt])|(?=[密口令]))[\w-]{0,40}?"
    r"(?:(?P<password>passw(?:or)?d|passphrase|secret(?:key)?|密[码碼]|口令"
    r"|pwd(?![\\\"' \t]{0,8}[=:][\\\"' \t]{0,8}[~/.])"  # but no working directory
    r"|(?<=[_-])pass|(?-i:(?<=[a-z])Pass)|(?<![A-Za-z])pass(?=\W{1,6}[\"']))"
    r"|(?P<vague>credentials?|auth(?:orization)?(?![\w-])|(?-i:(?<=[A-Z0-9]_)KEY))"
    r"|(?P<bearer>bearer(?= ))"
    r"|token|密[钥鑰]|令牌|(?:api|access|account|app|auth|deploy|encryption|jwt|license|master"
    r"|private|service|shared|signing|ssh|storage|webhook)[_ -]?key)(?P<tail>[A-Za-z0-9_-]{0,40})"
)
_TYPE = r"(?:&?(?:optional\[)?(?:str|string|bytes|secretstr)\]?(?: \| \w{1,16})?[ \t]{0,4}=)?"
_BETWEEN = (
    rf"(?:\\{{0,3}}[\"'`])?\]?(?P<sep>[ \t]{{0,8}}(?:[!?]?={{1,3}}>?|:=|[!?]?:[ \t]{{0,8}}{_TYPE}"
    r"|[：＝是为為]{1,2}:?)[ \t\u3000]{0,8}|>"  # below: "name": "DB_PASSWORD", "value":
    r"|(?:[\s,]|\\n){1,24}\\{0,3}[\"']?value\\{0,3}[\"']?[ \t]?[:=][ \t]{0,4}"
    r"|(?<=[\"']),[ \t]{0,8}(?=\\{0,3}[\"'])|[ \t]{1,4}(?=\S))"
    r"(?:[bfru]{0,2}(?P<quote>\\{0,3}[\"'`]))?(?P<scheme>(?:bearer|basic|token|apikey|bot) {1,4})?"
)
_ABOUT = frozenset(  # a name that goes on with one of these holds no secret
    "age alg algorithm arn at budget class color cost count created date dir endpoint env error"
    " errors exp expired expires expiration expiry field file format handler header hint host id"
    " ids in index kind label len length lifetime limit manager max min name out path pattern"
    " policy pos prefix price prompt provider rate ref regex required reset rotation rule rules"
    " service size start status store strength suffix time timeout ttl type uri url usage used"
    " valid validator var version".split()
)
_BARE = (  # a value without quotes
    r"(?:[^\s\"'`<\\,;&\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]+|<(?![/A-Za-z])|\\(?![nrtu\"'])"
    r"|[,&](?!\s|[\w.-]{1,40}[=:]))*"
)
_NO_VALUE = (  # variables, gaps to fill in, addresses, sums, dates, types, states
    r"[$%@:!&*#]*[{(<\[]|[$%@:!&]{1,2}\w+%?$|\$env:|%[dqrsv]\b|\+.*\+$|--|[?.…•]|[*x_]{3}|your"
    r"|[^a-z0-9]*$|(?:example|placeholder|todo|(?:change|replace)[-_]?me)\b"
    r"|[a-z][a-z0-9+.-]{0,30}://|arn:|sha\d+:|[a-z]:\\|\d{4}-\d\d-\d\dT"
    r"|(?:none|null|nil|true|false|undefined|required|optional|invalid|missing|empty|str|string"
    r"|text|hidden|bytes|bool|boolean|object|number|include|omit|u?int\d+|varchar2|sha\d+|base64"
    r"|argon2\w*|pbkdf2|uint8array)$"
)
_CODE = r"[A-Za-z_][\w.:]*(?:[(\[{<]|->|\?\.)"  # a call, an index, a generic type
_WORD = (  # what names, paths and prose are made of; a random value leaves something over
    r"(?:(?<![0-9])[a-z]|[A-Z])[a-z]+\d{0,5}|(?<![0-9])[A-Z]{2,}\d{0,5}(?![a-z])|[-_./:\\|~ ]"
    r"|(?<![A-Za-z0-9])(?:[A-Za-z]\d{0,4}|\d{1,4})(?![A-Za-z0-9])"
)
_TRAILING = ".,;:)]}>"  # what ends a sentence or a list is not part of a value
_SECRET_WORDS = frozenset("password passwd pwd pass passphrase secret token key".split())


def redact(text: str) -> str:
    """Return text with its secrets replaced and everything else unchanged."""
    for edge, table in (("", _ANYWHERE), (_EDGE, _AT_AN_EDGE)):
        for words, prefix, secret in table:
            if any(word in text for word in words.split()):
                text = _replace(edge + prefix, secret, text)
    for word, prefix, secret in _COMMANDS:
        if word in text:
            import re

            parts = re.split(f"({_EDGE}{word}{_LINE})", text)
            parts[1::2] = [_replace(prefix, secret, line) for line in parts[1::2]]
            text = "".join(parts)
    lower = text.lower()
    return _redact_named(text) if any(hint in lower for hint in _HINTS.split()) else text


def _replace(prefix: str, secret: str, text: str) -> str:
    import re

    return re.sub(f"({prefix}){secret}", rf"\1{MARK}", text, flags=re.ASCII)


def _redact_named(text: str) -> str:
    """Redact values that look secret and follow a name such as DB_PASSWORD= or "apiKey":."""
    import re

    pattern = re.compile(_NAME + _BETWEEN, re.ASCII | re.IGNORECASE)
    parts, copied, match = [], 0, pattern.search(text)
    while match:
        end = _secret_end(match)
        if end:
            parts += [text[copied : match.end()], MARK]
            copied = end
        match = pattern.search(text, end or match.end("tail"))
    return "".join(parts) + text[copied:]


def _secret_end(match: Match[str]) -> int:
    """Return the end of the secret that follows a name, 0 if none follows."""
    text, start, sep, quote = match.string, match.end(), match["sep"], match["quote"]
    name = text[match.start() : match.end("tail")]
    opener = text[max(0, match.start() - 4) : match.start()].rstrip(" \t")[-1:]
    option, element = name.startswith("-"), sep == ">" and opener == "<"
    if (sep == ">" and not element) or sep == opener == ":" or _is_about(match["tail"], name):
        return 0
    value = _value(text, start, quote, start + 64)  # enough to judge by
    if name.lower().endswith(value.lower()):
        return 0
    after = text[start + len(value) : start + len(value) + 2]
    pair = "value" in sep.lower()
    prose = not (option or pair) and (sep.isspace() or "," in sep)
    if prose and not (quote or match["bearer"]) and len(value) < 16:
        return 0
    password = bool(match["password"]) and not prose
    quoted = bool(quote or match["scheme"] or match["bearer"])
    loud = name.isupper()
    if element:
        direct = after == "</"
    else:  # NAME=value, --name=value, ?name=value, name=value;
        ends = after[:1] == ";" or (password and not quote and not after[:1].strip(" \t\r\n\\\"'"))
        direct = loud or option or opener in ("?", "&", ";") or ends
        direct = direct and (sep == "=" or pair) and not match["vague"]
    if not _is_secret(value, password, quoted, direct, loud):
        return 0
    return start + len(_value(text, start, quote, len(text)))


def _value(text: str, start: int, quote: str | None, stop: int) -> str:
    """Return the value at start, cut at stop."""
    import re

    pattern = rf"(?:(?!(?<!\\){re.escape(quote)})[^\n])*" if quote else _BARE
    match = re.compile(pattern, re.ASCII).match(text, start, stop)
    value = match[0] if match else ""
    return value if quote else value.rstrip(_TRAILING)


def _is_about(tail: str, name: str) -> bool:
    """Return whether a name only mentions a secret: tokenizer, password_file, publicKeyToken."""
    import re

    joint = name[-len(tail) - 1 : -len(tail)]
    if tail[:1].isalpha() and not (tail[0].isupper() and joint.islower()):
        return True
    return "public" in name.lower() or any(
        word.lower() in _ABOUT for word in re.findall("[A-Z]?[a-z]+|[A-Z]+", tail)
    )


def _is_secret(value: str, password: bool, quoted: bool, direct: bool, loud: bool) -> bool:
    """Judge a value by its look; passwords, quotes and plain NAME=value need less evidence."""
    import re

    digit, long = re.search("[0-9]", value), re.match("[a-z]{20}", value)
    humps = (quoted or password) and re.search("[a-z][A-Z]", value)
    if not value or not (digit or long or humps or quoted or direct):
        return False  # the common case: a word
    if MARK in value or re.match(_NO_VALUE, value, re.IGNORECASE):
        return False
    if not quoted and re.match(_CODE, value) and (not loud or value[-1] in "()[{"):
        return False
    if re.search(r"\s", value):
        return password and direct and value == value.strip()
    if value.isdigit():
        return len(value) >= (4 if password else 16)
    wordy = not re.sub(_WORD, "", value)
    mixed = bool(digit and re.search("[A-Za-z]", value))
    if long or (len(value) >= 8 and not wordy and (mixed or humps)):
        return True
    words = {re.sub(r"(?<!\d)\d$", "", word.lower()) for word in re.findall(_WORD, value)}
    if wordy and not (quoted or loud) and words & _SECRET_WORDS:
        return False  # the name of a variable
    if direct:
        return len(value) >= (3 if password else 6) and not (wordy and value[0] in "/~")
    if not password or (quoted and wordy and re.search(r"[./|:]|^[A-Z][a-z]+$", value)):
        return False  # a path, a label
    if quoted:
        return len(value) >= 4 and value.isascii()
    return len(value) >= 6 and mixed and (not wordy or value.isalnum())
