"""Errors for players, as codes with details. Their texts are in the Fluent files."""


class BotError(Exception):
    """An error shown to a user. `code` names the message ``error-<code>``."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details


class Refused(BotError):
    """An impossible request. The code has the reason."""


class MutualChallenge(BotError):
    """The opponent has already sent the same challenge, `match_id`."""

    def __init__(self, match_id: int) -> None:
        super().__init__("challenge-waiting")
        self.match_id = match_id


class Duplicate(BotError):
    """The user has created the same challenge, study or solo match, `match_id`, in Unix seconds."""

    def __init__(self, match_id: int, created: int = 0) -> None:
        super().__init__("challenge-waiting")
        self.match_id = match_id
        self.created = created


class StaleBoard(BotError):
    """The action belongs to an older version of the match."""

    def __init__(self, match_id: int) -> None:
        super().__init__("stale", match=match_id)
        self.match_id = match_id
