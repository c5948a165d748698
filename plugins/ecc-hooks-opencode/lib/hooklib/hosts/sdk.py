"""The public name of hooklib.agent.sdk."""

from hooklib.agent.sdk import *  # noqa: F403
from hooklib.agent.sdk import __all__ as __all__
