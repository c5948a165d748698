"""What is worth knowing beyond one session: kept in a database, recalled at the moment it helps."""
