"""The console: in a terminal, a person plays against the computer or a friend beside them."""
