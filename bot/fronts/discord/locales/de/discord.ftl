# Texte nur für Discord.

discord-done = ✓
discord-to-board = Zum Brett
discord-again = Das hat zu lange gedauert. Drück bitte noch einmal.
discord-private = Das Brett kommt in unsere Direktnachrichten. Wenn ich dir dort nicht schreiben kann, erscheint es hier, und nur du siehst es.
discord-closed = Ich kann dir keine Direktnachrichten schicken. Dieses Brett siehst nur du.

discord-menu-challenge = Herausfordern…

# Namen von Befehlen und Optionen: Kleinbuchstaben, keine Leerzeichen.
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
discord-command-analyse = analyse
discord-command-replay = wiedergabe
discord-command-puzzle = rätsel
discord-command-takeback = zurücknehmen
discord-command-nudge = anstupsen
discord-command-claim = beanspruchen
discord-command-abort = abbrechen
discord-command-resign = aufgeben
discord-command-rematch = revanche
discord-command-matches = partien
discord-command-leaderboard = rangliste
discord-command-stats = statistik
discord-command-history = verlauf
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
field-replay = was
field-people = leute
field-period = zeit
field-result = ergebnis
field-side = seite
field-rated = gewertet
field-takebacks = rücknahme
field-hints = tipps

discord-about-game = Das Spiel
discord-about-user = Der Spieler
discord-about-match = Die Nummer der Partie, zum Beispiel 12
discord-about-hours = Zum Beispiel 22-7 Berlin, oder aus
discord-about-days = Zum Beispiel 2w, oder ende
discord-about-clock = Zum Beispiel 3t oder 10m+5s
discord-about-code = Der Code der Herausforderung
discord-about-language = Die Sprache, in der ich dir antworte
discord-about-command = Der Befehl
discord-about-options = Die Optionen der Partie
discord-about-replay = Zum Beispiel 10-20, langsam, als Weiß
discord-about-people = Wen die Liste zeigt; sonst die von diesem Server
discord-about-period = Dieser Monat, oder von Anfang an
discord-about-result = Nur Partien mit diesem Ergebnis für den Spieler
discord-about-side = Die Seite, die du spielen willst
discord-about-rated = Ob die Partie Wertungen ändert
discord-about-takebacks = Ob auch in einer gewerteten Partie Züge zurückgenommen werden dürfen
discord-about-hints = Ob beide Tipps bekommen dürfen; ungewertet

error-discord-bot = Bots können hier nicht mitspielen. Fordere jemanden heraus oder erstelle eine offene Herausforderung.
error-discord-left = { $name } ist nicht mehr hier. Fordere jemand anderen heraus oder erstelle eine offene Herausforderung.
