"""Values and rules of matches and people, without I/O."""
