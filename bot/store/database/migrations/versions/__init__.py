"""One module a revision, in order."""
