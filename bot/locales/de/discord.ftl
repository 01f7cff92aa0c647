# Was nur Discord braucht.

discord-done = ✓
discord-to-board = Zum Brett
discord-again = Das hat zu lange gedauert. Drück bitte noch einmal.
discord-private = Das Brett kommt in unser privates Gespräch oder, wenn mir das verschlossen ist, hierher, wo nur du es siehst.
discord-closed = Unser privates Gespräch ist mir verschlossen. Hier siehst nur du das Brett.

discord-menu-challenge = Herausfordern…

# Namen von Befehlen und Optionen: kleine Buchstaben, keine Leerzeichen.
discord-command-play = spielen
discord-command-challenge = herausfordern
discord-command-accept = annehmen
discord-command-join = beitreten
discord-command-decline = ablehnen
discord-command-withdraw = zurückziehen
discord-command-board = brett
discord-command-next = weiter
discord-command-moves = züge
discord-command-quiet = ruhe
discord-command-holiday = urlaub
discord-command-clock = bedenkzeit
discord-command-draw = unentschieden
discord-command-hint = tipp
discord-command-analyse = rückblick
discord-command-puzzle = rätsel
discord-command-takeback = zurücknehmen
discord-command-abort = abbrechen
discord-command-resign = aufgeben
discord-command-rematch = revanche
discord-command-matches = partien
discord-command-leaderboard = rangliste
discord-command-stats = statistik
discord-command-rules = regeln
discord-command-help = hilfe
discord-command-language = sprache
discord-command-settings = einstellungen
discord-command-block = blockieren
discord-command-unblock = freigeben
discord-command-privacy = datenschutz
discord-command-here = hier

field-game = spiel
field-user = wer
field-move = zug
field-match = partie
field-hours = stunden
field-days = tage
field-clock = bedenkzeit
field-code = code
field-language = sprache
field-command = befehl
field-options = optionen
field-people = leute
field-period = zeit
field-side = seite
field-rated = gewertet

discord-about-game = Welches Spiel
discord-about-user = Wen
discord-about-match = Die Nummer der Partie, zum Beispiel 12
discord-about-hours = Zum Beispiel 22-7 Berlin, oder aus
discord-about-days = Zum Beispiel 2w, oder ende
discord-about-clock = Zum Beispiel 3t oder 10m+5s
discord-about-code = Der Code, den dir jemand gegeben hat
discord-about-language = In welcher Sprache ich dir antworte
discord-about-command = Welcher Befehl
discord-about-options = Wie du es spielen willst
discord-about-people = Wen ich nenne; sonst die von diesem Server
discord-about-period = Dieser Monat, oder von Anfang an
discord-about-side = Die Seite, die du gern spielen würdest
discord-about-rated = Ob sie eure Wertungen ändert

error-discord-bot = Bots können hier nicht mitspielen. Fordere jemand anderen heraus oder frag, wer mitspielt.
error-discord-left = { $name } ist nicht mehr hier. Fordere jemand anderen heraus oder frag, wer mitspielt.
