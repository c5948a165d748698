"""The public name of hooklib.agent.service."""

from hooklib.agent.service import *  # noqa: F403
from hooklib.agent.service import __all__ as __all__
