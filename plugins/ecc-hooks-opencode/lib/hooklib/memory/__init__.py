"""Memories that outlast a session: stored in a database, recalled when they help."""
