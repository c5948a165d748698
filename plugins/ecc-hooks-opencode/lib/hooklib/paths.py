"""Where things are: the host's configuration, this plugin's data, the user's project."""

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
    """Return this plugin's data folder, the one that Claude Code gives it, whoever starts it."""
    given = os.environ.get("CLAUDE_PLUGIN_DATA")
    return given or os.path.join(config_dir(), "plugins", "data", plugin_name() + "-" + MARKETPLACE)


def start_dir(cwd: str = "") -> str:
    """Return the folder that the session was started in; cwd is the event's, which `cd` moves."""
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
    here = folder
    while here and os.path.realpath(here) != home:
        if os.path.exists(os.path.join(here, ".git")):
            return here
        parent = os.path.dirname(here)
        if parent == here:
            break
        here = parent
    return folder


def project_name(root: str) -> str:
    """Return the repository's name, the same in all its worktrees; with no name, `default`."""
    return (root and _repository_name(root)) or os.path.basename(root) or "default"


def _repository_name(root: str) -> str:
    """Return the main repository's name for a linked worktree, '' for anything else."""
    if not root:  # not the one that the process happens to be in
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
