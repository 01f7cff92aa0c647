"""The bot: matches, users, places, boards, screens, commands and fronts."""
