"""Find the host's configuration, this plugin's data and the user's project."""

from __future__ import annotations

import os

from hooklib.files import read_bounded

_LIB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLUGIN_ROOT = os.path.dirname(_LIB)
MARKETPLACE = "custom-skills"


def plugin_name() -> str:
    """Return this plugin's name from its folder: <plugin> or, in a cache, <plugin>/<version>."""
    if os.path.basename(_LIB) != "lib":
        return "hooklib"  # installed by pip, in no plugin
    name = os.path.basename(PLUGIN_ROOT)
    return os.path.basename(os.path.dirname(PLUGIN_ROOT)) if name[:1].isdigit() else name


def config_dir() -> str:
    """Return the host's configuration folder: CLAUDE_CONFIG_DIR, else ~/.claude."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def data_dir() -> str:
    """Return this plugin's data folder; the same one outside of Claude Code, which names it."""
    configured = os.environ.get("CLAUDE_PLUGIN_DATA")
    return configured or os.path.join(
        config_dir(), "plugins", "data", plugin_name() + "-" + MARKETPLACE
    )


def start_dir(cwd: str = "") -> str:
    """Return the folder in which the session was started; cwd, which `cd` moves, is a fallback."""
    for candidate in (os.environ.get("CLAUDE_PROJECT_DIR", ""), cwd):
        if os.path.isabs(candidate) and os.path.isdir(candidate):
            return candidate
    try:
        return os.getcwd()
    except OSError:  # the working directory was deleted
        return ""


def project_root(folder: str) -> str:
    """Return the top of the git working tree around folder, else folder itself.

    Looks for `.git` instead of asking git: a process costs more than the whole event. The home
    folder is no project even where it is a repository: its .claude belongs to the host.
    """
    home = os.path.realpath(os.path.expanduser("~"))
    candidate = folder
    while candidate and os.path.realpath(candidate) != home:
        if os.path.exists(os.path.join(candidate, ".git")):
            return candidate
        parent = os.path.dirname(candidate)
        if parent == candidate:
            break
        candidate = parent
    return folder


def project_name(root: str) -> str:
    """Return the repository's name, the same in all its worktrees; `default` if it has none."""
    return (root and _repository_name(root)) or os.path.basename(root) or "default"


def _repository_name(root: str) -> str:
    """Return the main repository's name for a linked worktree, '' for anything else."""
    if not root:  # '' would mean the working directory of this process
        return ""
    try:  # a worktree's .git is a file: "gitdir: <repository>/.git/worktrees/<name>"
        pointer = read_bounded(os.path.join(root, ".git"), 4096).decode("utf-8", "replace")
        git_dir = os.path.join(root, pointer.partition("gitdir:")[2].strip())
        common = read_bounded(os.path.join(git_dir, "commondir"), 4096).decode("utf-8", "replace")
    except OSError:
        return ""
    repository = os.path.normpath(os.path.join(git_dir, common.strip()))
    if os.path.basename(repository) == ".git":
        repository = os.path.dirname(repository)
    name = os.path.basename(repository)
    return name[:-4] if name.endswith(".git") else name
