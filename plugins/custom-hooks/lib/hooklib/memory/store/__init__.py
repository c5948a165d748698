"""Where memories are kept: the database, the journal of a session, the file that a team shares."""
