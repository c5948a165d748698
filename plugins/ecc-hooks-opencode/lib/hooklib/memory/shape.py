"""The shape of a command: the program and subcommand that matter, never an argument."""

from __future__ import annotations

from hooklib.memory.shell import simple_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooklib.memory.shell import Simple

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+:@-")
_LONGEST = 40  # characters of a name
_DEPTH = 3  # of sh -c inside sh -c

# what stands before a program, and its options that take a value
_BEFORE = {
    "sudo": "-u -g -h -p -C -r -t -U", "doas": "-u -C", "env": "-u -C -S", "time": "-f -o",
    "timeout": "-s -k --signal --kill-after", "nice": "-n", "nohup": "", "command": "", "exec": "",
    "stdbuf": "-i -o -e", "xvfb-run": "-s -n -e", "setsid": "", "ionice": "-c -n", "caffeinate": "",
    "then": "", "do": "", "else": "", "if": "", "elif": "", "while": "", "until": "", "!": "",
    "npx": "-p --package -c", "bunx": "", "pnpx": "", "uvx": "--from --with", "dotenv": "-e -f",
    "cross-env": "", "corepack": "", "winpty": "", "builtin": "",
}  # fmt: skip
# programs that run others by a subcommand of theirs
_RUNNERS = frozenset(
    ("pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "npm exec", "uv run", "poetry run",
     "pipenv run", "pdm run", "rye run", "hatch run", "bundle exec", "bun x", "conda run",
     "mise exec", "direnv exec")
)  # fmt: skip
# programs with subcommands, and their options that take a value
_GROUPS = {
    "git": "-C -c --git-dir --work-tree --namespace", "gh": "-R --repo", "glab": "-R --repo",
    "npm": "--prefix -w --workspace -C", "pnpm": "--filter -C --dir -F", "yarn": "--cwd",
    "bun": "--cwd --filter", "deno": "", "cargo": "-C --config -Z --color", "go": "-C",
    "rustup": "", "docker": "-H --host --context -c -l", "podman": "", "docker-compose": "-f -p",
    "kubectl": "-n --namespace --context --kubeconfig -s", "helm": "-n --namespace",
    "terraform": "", "pulumi": "-C -s", "aws": "--profile --region --output", "gcloud": "--project",
    "az": "", "heroku": "-a", "fly": "-a", "vercel": "", "netlify": "", "firebase": "-P",
    "pip": "--python", "pipx": "", "uv": "--directory --project", "poetry": "-C --directory",
    "pipenv": "", "pdm": "-p", "rye": "", "hatch": "-e", "conda": "", "composer": "-d",
    "artisan": "", "console": "", "manage.py": "", "rails": "", "rake": "", "bundle": "", "gem": "",
    "mix": "", "dotnet": "", "swift": "", "flutter": "", "dart": "", "make": "-C -f -j -o -W -I",
    "just": "-f -d", "task": "-t -d", "gradle": "-p -b -c -I", "mvn": "-f -pl -P -s -T",
    "ant": "-f", "bazel": "", "nx": "", "turbo": "", "lerna": "", "ng": "", "prisma": "",
    "alembic": "-c -n", "flask": "--app -A -e", "apt": "-o -t", "apt-get": "-o -t", "brew": "",
    "systemctl": "", "service": "", "nix": "", "hookctl": "", "claude": "", "ninja": "-C -j -f",
    "ruff": "", "biome": "", "meson": "", "sbt": "", "stack": "", "cabal": "", "supabase": "",
}  # fmt: skip
# and those whose subcommands have subcommands
_NESTED = frozenset(
    ("npm run", "pnpm run", "yarn run", "bun run", "deno task", "docker compose", "go mod", "gh pr",
     "gh issue", "gh run", "gh repo", "gh release", "aws s3", "aws ec2", "aws lambda", "uv pip",
     "docker image", "docker container", "docker volume", "kubectl rollout", "git stash",
     "git worktree", "git submodule", "git remote", "nx run", "turbo run", "poetry self")
)  # fmt: skip
_LANGUAGES = {  # options that give them code, and options that take a value
    "python": ("-c", "-W -X"), "node": ("-e -p --eval --print", "-r --require --import --loader"),
    "ruby": ("-e", "-I -r"), "php": ("-r", "-d -c"), "perl": ("-e -E", "-I -M"),
    "ts-node": ("-e", "-P"), "tsx": ("-e", ""), "bash": ("", "-o"), "sh": ("", "-o"),
    "zsh": ("", "-o"), "dash": ("", "-o"),
}  # fmt: skip
_ALIASES = {"gradlew": "gradle", "mvnw": "mvn", "nodejs": "node", "py": "python"}
_SHELLS = ("bash", "sh", "zsh", "dash")
_SMALL = frozenset(  # what stands around the command that matters
    "cd pushd popd echo printf cat tail head grep egrep rg sed awk ls pwd export set unset source ."
    " sleep true false wc sort uniq tee which type test [ [[ mkdir touch tr cut xargs less more"
    " date find fd jq yes read wait trap exit return local declare alias ulimit umask eval for in"
    " done fi esac case clear diff stat file basename dirname realpath rm cp mv ln chmod kill"
    " ps env id whoami hostname uname tput stty".split()
)
_TELLING = (  # what a command is run for: it tests, builds or checks
    "test tests spec check build lint typecheck type-check tsc compile jest vitest mocha ava tap"
    " pytest unittest nose2 tox nox mypy pyright pyre ruff flake8 pylint black isort eslint"
    " prettier biome stylelint phpunit pest phpstan psalm phpcs rspec rubocop minitest ctest"
    " playwright cypress karma make cmake ninja gcc g++ clang clang++ cc rustc javac gradle mvn"
    " clippy vet golangci-lint staticcheck shellcheck hadolint webpack vite rollup esbuild"
    " storybook coverage bench verify ci e2e validate run.py swiftlint detekt ktlint sbt"
).split()


def of_command(command: str) -> str:
    """Return the shape of a command, '' where there is none to tell."""
    return _chosen(command, 0)[0]


def prefix(command: str) -> str:
    """Return the words that the command with this shape begins with; '' where it holds others."""
    return _chosen(command, 0)[1]


def _chosen(command: str, depth: int) -> tuple[str, str]:
    best: tuple[int, str, str] = (0, "", "")
    rank_of_pipe = 0
    for simple in simple_commands(command):
        shape, start = _read(simple, depth)
        rank = weight(shape)
        # the last of a list, but the first of a pipeline: what follows only looks at its output
        if rank and rank >= best[0] + (simple.piped and rank <= rank_of_pipe):
            best = (rank, shape, start)
        rank_of_pipe = max(rank, rank_of_pipe) if simple.piped else rank
    return best[1], best[2]


def weight(shape: str) -> int:
    """Return how much a command matters: 3 it tests or builds, 2 it does, 1 it is small, 0 none."""
    if not shape:
        return 0
    names = shape.split()
    if names[0] in _SMALL:
        return 1
    parts = [part for name in names for part in (name, *name.replace(".", ":").split(":"))]
    return 3 if any(part in _TELLING for part in parts) else 2


def _read(simple: Simple, depth: int) -> tuple[str, str]:
    """Return the shape of a simple command, and the words it begins with if all are in it."""
    words = simple.words
    at, plain = 0, True
    while at < len(words):
        name = _program(words[at])
        if not name:
            return "", ""
        if "=" in words[at] and words[at].split("=")[0].isidentifier():
            at, plain = at + 1, False
            continue
        if name in _BEFORE and at + 1 < len(words):
            start = at
            at = _after_options(words, at + 1, _BEFORE[name])
            at += name == "timeout" and at < len(words)
            plain = plain and at == start + 1 and name in ("npx", "bunx", "uvx", "pnpx", "sudo")
            continue
        if name in _SHELLS and depth < _DEPTH:
            for option, code in zip(words[at + 1 :], words[at + 2 :]):
                if option.startswith("-") and option.endswith("c"):
                    return _chosen(code, depth + 1)[0], ""
        return _named(words, at, name, plain, depth)
    return "", ""


def _named(words: list[str], at: int, name: str, plain: bool, depth: int) -> tuple[str, str]:
    if name in _LANGUAGES:
        code, valued = _LANGUAGES[name]
        first = at + 1
        while first < len(words) and words[first].startswith("-"):
            if name == "python" and words[first] == "-m" and first + 1 < len(words):
                return _named(words, first + 1, _program(words[first + 1]), plain, depth)
            if words[first] in code.split():
                return name, ""
            first += 2 if words[first] in valued.split() else 1
        script = _program(words[first]) if first < len(words) else ""
        if not script:
            return name, ""
        if script in _GROUPS:
            return _named(words, first, script, plain and first == at + 1, depth)
        return script, _joined(words[: first + 1], plain and first == at + 1)
    if name not in _GROUPS:
        return name, _joined(words[: at + 1], plain)
    shape, valued, last = name, _GROUPS[name], at
    for _ in range(2):
        following = _after_options(words, last + 1, valued)
        if following >= len(words) or not _is_name(words[following]):
            break
        plain = plain and following == last + 1
        last = following
        shape += " " + words[last]
        if shape in _RUNNERS and depth < _DEPTH:
            inner = _read_rest(words, last + 1, depth)
            if inner[0]:
                return inner[0], _joined(words[: last + 1], plain) and inner[1]
        if shape not in _NESTED:
            break
    return shape, _joined(words[: last + 1], plain)


def _read_rest(words: list[str], at: int, depth: int) -> tuple[str, str]:
    from hooklib.memory.shell import Simple

    rest = Simple(False)
    rest.words = words[_after_options(words, at, "--with --from --group -e -n -p") :]
    shape, start = _read(rest, depth + 1)
    return shape, " ".join([*words[:at], start]) if start and words[at:] == rest.words else ""


def _after_options(words: list[str], at: int, valued: str) -> int:
    while at < len(words) and words[at][:1] in ("-", "+"):
        at += 2 if words[at] in valued.split() else 1
    return min(at, len(words))


def _program(word: str) -> str:
    """Return the name of a program or script: no folder, no version, no ending of Windows."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    if "=" in word and word.split("=")[0].isidentifier():
        return word.split("=")[0]
    if name in ("[", "[[", "!", "."):
        return name
    if name.endswith((".exe", ".cmd", ".bat")):
        name = name[:-4]
    bare = name.rstrip("0123456789.")
    name = bare if bare in ("python", "pip") else _ALIASES.get(name, name)
    return name if _is_name(name) else ""


def _is_name(word: str) -> bool:
    return 0 < len(word) <= _LONGEST and _NAME.issuperset(word) and word[0] not in "-+.:@"


def _joined(words: list[str], plain: bool) -> str:
    return " ".join(words) if plain and all(" " not in word for word in words) else ""
