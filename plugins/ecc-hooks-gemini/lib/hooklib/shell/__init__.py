"""Shell commands taken apart: the simple commands in a line, the program that matters in each."""
