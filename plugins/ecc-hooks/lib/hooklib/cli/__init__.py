"""The command line tool: one module per command, named like it."""
