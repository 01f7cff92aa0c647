"""Programs for maintainers, with their tests beside them: `make help` lists them."""
