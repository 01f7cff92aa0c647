# Vier gewinnt.

connect4-name = Vier gewinnt
connect4-command = viergewinnt
connect4-about = Steine in sieben Spalten werfen. Vier in einer Reihe gewinnen. Zu zweit.
connect4-usage = Nenne eine Spalte: { $before }d. Ihre Nummer geht auch: { $before }4.
connect4-rules =
    Ziel: als Erster vier eigene Steine in einer Reihe haben.

    Aufbau: Das Brett hat sieben Spalten und sechs Zeilen und ist am Anfang leer. Weiß beginnt.

    Zug: Wirf einen eigenen Stein in eine Spalte. Er fällt auf die Steine, die schon da sind.

    Ende: Vier in einer Reihe gewinnen, ob nebeneinander, übereinander oder schräg. Sind alle 42 Felder voll und niemand hat sie, ist es unentschieden.

    Die Spalten heißen von links a bis g.

    Tipp: Durch die Mitte gehen mehr Reihen als durch den Rand.

connect4-seat-0 = Weiß
connect4-seat-1 = Schwarz
connect4-mark-0 = ⚪
connect4-mark-1 = ⚫

connect4-error-full = Spalte { $column } ist voll. Wähle eine andere.

connect4-effect-wins = macht vier in einer Reihe

connect4-fact-discs = { $count } von { $total } Steinen

connect4-reason-four = { $winner } gewinnt mit vier in einer Reihe.
connect4-reason-full = Unentschieden: Alle Spalten sind voll.

connect4-alt-turn =
    { $seat ->
        [0] Vier gewinnt, Weiß ist am Zug.
       *[1] Vier gewinnt, Schwarz ist am Zug.
    }
connect4-alt-won =
    { $seat ->
        [0] Vier gewinnt, Weiß hat mit vier in einer Reihe gewonnen.
       *[1] Vier gewinnt, Schwarz hat mit vier in einer Reihe gewonnen.
    }
connect4-alt-draw = Vier gewinnt, unentschieden.
connect4-alt-last =
    { $seat ->
        [0] Letzter Zug: Weiß in { $column }.
       *[1] Letzter Zug: Schwarz in { $column }.
    }
connect4-alt-letter-0 = W
connect4-alt-letter-1 = S
connect4-alt-discs =
    { $count ->
        [0] Das Brett ist leer.
       *[other] Steine von unten nach oben, W weiß, S schwarz: { $columns }.
    }
connect4-alt-moves = Spalten mit Platz: { $moves }.
