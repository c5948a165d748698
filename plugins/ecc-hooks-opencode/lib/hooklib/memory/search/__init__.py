"""Find the memories that a text is about, and format them for the model."""
