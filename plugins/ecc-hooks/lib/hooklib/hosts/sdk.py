"""The Agent SDK's bridge under its public name; the modules are in hooklib.agent."""

from hooklib.agent.project_rules import build_query_options as build_query_options
from hooklib.agent.sdk import callback as callback
from hooklib.agent.sdk import event_callback as event_callback
from hooklib.agent.sdk import matchers as matchers
from hooklib.agent.sdk import plain_answer as plain_answer
