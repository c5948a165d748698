"""Describe what a new file means for the project: a manifest, an entry point, a new folder."""

from __future__ import annotations

_MANIFESTS = {
    "pyproject.toml": "a Python project", "setup.py": "a Python project",
    "setup.cfg": "a Python project", "requirements.txt": "Python requirements",
    "Pipfile": "a Python project (pipenv)", "environment.yml": "a conda environment",
    "package.json": "a Node.js package", "deno.json": "a Deno project", "bunfig.toml": "Bun",
    "pnpm-workspace.yaml": "a pnpm workspace", "lerna.json": "a Lerna monorepo",
    "nx.json": "an Nx workspace", "turbo.json": "a Turborepo", "tsconfig.json": "TypeScript",
    "go.mod": "a Go module", "go.work": "a Go workspace", "Cargo.toml": "a Rust crate",
    "composer.json": "a PHP package", "Gemfile": "a Ruby bundle", "mix.exs": "an Elixir project",
    "pom.xml": "a Maven project", "build.gradle": "a Gradle project",
    "build.gradle.kts": "a Gradle project", "settings.gradle": "a Gradle build",
    "settings.gradle.kts": "a Gradle build", "build.sbt": "an sbt project",
    "CMakeLists.txt": "a CMake project", "meson.build": "a Meson project",
    "pubspec.yaml": "a Dart package", "Package.swift": "a Swift package",
    "Dockerfile": "a container image", "Containerfile": "a container image",
    "docker-compose.yml": "Docker Compose services",
    "docker-compose.yaml": "Docker Compose services",
    "compose.yml": "Docker Compose services", "compose.yaml": "Docker Compose services",
    "Makefile": "make targets", "GNUmakefile": "make targets", "justfile": "just recipes",
    "Taskfile.yml": "tasks", "tox.ini": "tox environments", "noxfile.py": "nox sessions",
    "Procfile": "processes to run", "Jenkinsfile": "CI (Jenkins)",
    ".gitlab-ci.yml": "CI (GitLab)", ".travis.yml": "CI (Travis)",
    "azure-pipelines.yml": "CI (Azure)", "bitbucket-pipelines.yml": "CI (Bitbucket)",
    ".pre-commit-config.yaml": "pre-commit hooks", "alembic.ini": "database migrations (Alembic)",
    "main.tf": "Terraform", "Chart.yaml": "a Helm chart", "serverless.yml": "serverless functions",
    "CLAUDE.md": "instructions for agents", "AGENTS.md": "instructions for agents",
}  # fmt: skip
_ENDINGS = {
    ".csproj": "a .NET project", ".fsproj": "a .NET project", ".sln": "a .NET solution",
    ".gemspec": "a Ruby gem", ".cabal": "a Haskell package",
}  # fmt: skip
_ENTRIES = {
    "__main__.py": "Python", "main.py": "Python", "app.py": "Python", "manage.py": "Django",
    "wsgi.py": "Python web server", "asgi.py": "Python web server", "cli.py": "Python command line",
    "index.js": "JavaScript", "index.ts": "TypeScript", "index.mjs": "JavaScript",
    "main.js": "JavaScript", "main.ts": "TypeScript", "main.tsx": "TypeScript",
    "server.js": "JavaScript server", "server.ts": "TypeScript server", "app.js": "JavaScript",
    "app.ts": "TypeScript", "main.go": "Go", "main.rs": "Rust", "lib.rs": "Rust library",
    "index.php": "PHP", "artisan": "Laravel", "main.c": "C", "main.cpp": "C++", "Main.java": "Java",
    "Main.kt": "Kotlin", "Program.cs": ".NET", "config.ru": "Ruby web server",
    "main.dart": "Dart", "main.swift": "Swift",
}  # fmt: skip
_TOPS = frozenset(  # folders that may hold an entry point of the whole project
    "src app lib cmd bin server client web api backend frontend cli public".split()
)
_GROUPS = frozenset("packages apps services plugins crates modules libs cmd projects".split())
_MADE = frozenset(  # folders of others' code and of build products
    "node_modules vendor third_party site-packages dist build out target tmp temp cache coverage"
    " __pycache__ venv env".split()
)
_SAMPLES = frozenset(
    "test tests spec specs testdata fixtures __fixtures__ __tests__ __mocks__ example examples"
    " samples demo templates".split()
)
_HIDDEN = frozenset((".github", ".circleci", ".gitlab", ".devcontainer"))


def describe_new_file(path: str, root: str, new_folder: bool = False) -> tuple[str, str] | None:
    """Return ('manifest'|'entry'|'folder', text) for a new file, or None if it means nothing.

    new_folder says that the file's top-level folder is new too.
    """
    parts = _parts(path, root)
    if not parts:
        return None
    name, folders = parts[-1], parts[:-1]
    relative_path = "/".join(parts)
    foreign = any(folder in _SAMPLES or not _is_plain(folder) for folder in folders)
    if not foreign:
        meaning = _manifest(name, folders)
        if meaning:
            return "manifest", "%s: %s" % (relative_path, meaning)
        if name in _ENTRIES and _is_entry(name, folders):
            return "entry", "%s: an entry point (%s)" % (relative_path, _ENTRIES[name])
    if new_folder and folders and _is_plain(folders[0]):
        return "folder", "%s/: a new top-level folder, first file %s" % (folders[0], relative_path)
    return None


def _parts(path: str, root: str) -> list[str]:
    """Return the parts of a path relative to root, or [] if it is outside."""
    path, root = path.replace("\\", "/"), root.replace("\\", "/").rstrip("/")
    if root and path.startswith(root + "/"):
        path = path[len(root) + 1 :]
    elif path.startswith("/") or path[1:3] == ":/":
        return []
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return [] if ".." in parts or len(path) > 1_000 else parts


def _manifest(name: str, folders: list[str]) -> str:
    if folders[:1] == [".github"]:
        is_flow = folders[1:2] == ["workflows"] and name.endswith((".yml", ".yaml"))
        return "CI (GitHub Actions)" if is_flow else ""
    if folders[:1] == [".circleci"]:
        return "CI (CircleCI)" if name == "config.yml" else ""
    if name.startswith("Dockerfile."):
        name = "Dockerfile"
    if name.startswith("requirements") and name.endswith(".txt"):
        name = "requirements.txt"
    return _MANIFESTS.get(name) or _ENDINGS.get(name[name.rfind(".") :] if "." in name else "", "")


def _is_entry(name: str, folders: list[str]) -> bool:
    """Return whether a file here may be an entry point: at the top or in src/ of a package."""
    if len(folders) > 1 and folders[0] in _GROUPS:
        folders = folders[2:]
    if len(folders) == 2:  # src/shop/main.py, but src/buttons/index.ts only lists its folder
        return folders[0] in ("src", "lib") and not name.startswith("index.")
    return not folders or (len(folders) == 1 and folders[0] in _TOPS)


def _is_plain(folder: str) -> bool:
    return folder not in _MADE and (folder[0] != "." or folder in _HIDDEN)
