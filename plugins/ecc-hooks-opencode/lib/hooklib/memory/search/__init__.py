"""Find the memories that a text is about, and put them into words for the model."""
