"""What happened in a session: kept in a file per session, told to the next one."""
