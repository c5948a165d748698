"""Split shell commands into simple commands, and find the program that matters."""
