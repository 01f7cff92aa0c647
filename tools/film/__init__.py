"""Take screenshots of what two new users see on Discord, Telegram and the web app.

``python -m tools.film`` writes phone-size frames and sheets of them to ``build/film``.
"""
