moyo-name = Sudoku Moyo
moyo-about = Zwei Gärten wachsen in ein Sudoku: Wer den letzten Stein legt, gewinnt.
moyo-usage = Nenne Feld und Zahl, zum Beispiel { $before }e5=7
moyo-rules =
    Das Brett ist ein Sudoku aus neun Gebieten. Hell besitzt vier davon, seine Shima (Gärten): oben links, oben Mitte, Mitte rechts und unten links. Dunkel besitzt die vier gegenüber. Das mittlere Gebiet, das Azumaya (Gartenhaus), ist neutral.

    Wer beginnt, entscheidet das Los. Wer am Zug ist, legt einen Stein. Wie in jedem Sudoku darf eine Zahl in jeder Zeile, jeder Spalte und jedem Gebiet nur einmal stehen. Jedes Gebiet hat einen Stein von jeder Zahl. Das Sudoku muss nicht aufgehen: Du darfst es verderben, und oft solltest du das auch.

    Eröffnung: Solange noch irgendein Stein ins Azumaya passt, legen beide dort. Danach füllt jeder nur seine eigenen Shima, nie die des anderen.

    Jeder Stein wirkt entlang seiner Zeile und Spalte in andere Gärten; dieser Einfluss ist sein Moyo. Ein Feld, auf das nichts mehr passt, bekommt einen runden Moyo-Stein. Ein Stein, der nirgends mehr in sein Gebiet passt, wird umgedreht (im Bild eine Raute). Beides geschieht von selbst und ist kein Zug.

    Kannst du am Zug nichts mehr legen, hast du verloren; wer den letzten Stein gelegt hat, gewinnt. Wessen Zeit abläuft, der verliert, wenn er schon gezogen hat; sonst zählt die Partie nicht. Könnte die andere Seite auch nichts mehr legen, ist es unentschieden. Halte dir also mehr Plätze offen, als dein Gegner hat, und nimm ihm seine.

    Felder heißen nach Spalte (a bis i) und Zeile (1 bis 9, von oben): e5=7 legt eine 7 in die Mitte des Bretts.

moyo-seat-0 = Hell
moyo-seat-1 = Dunkel
moyo-mark-0 = ⚪
moyo-mark-1 = ⚫

moyo-challenge-side = { $name } würde { $side } spielen. Wer beginnt, entscheidet das Los.

moyo-group-box1 = a1–c3
moyo-group-box2 = d1–f3
moyo-group-box3 = g1–i3
moyo-group-box4 = a4–c6
moyo-group-box5 = Azumaya
moyo-group-box6 = g4–i6
moyo-group-box7 = a7–c9
moyo-group-box8 = d7–f9
moyo-group-box9 = g7–i9

moyo-error-occupied = Auf { $square } liegt schon eine { $digit }.
moyo-error-azumaya-first =
    { $count ->
        [one] Das Azumaya ist noch nicht voll: Im mittleren Gebiet ist noch Platz für einen Stein, und { $square } liegt nicht darin.
       *[other] Das Azumaya ist noch nicht voll: Im mittleren Gebiet sind noch { $count } Felder offen, und { $square } ist keines davon.
    }
moyo-error-azumaya-done = Das Azumaya ist geschlossen: Auf { $square } passt kein Stein mehr. Spiel in deinen eigenen Shima.
moyo-error-not-your-shima = { $square } gehört zu den Shima deines Gegners. Du darfst nur in deine eigenen legen.
moyo-error-dead = Auf { $square } liegt ein Moyo-Stein: Kein übriger Stein passt mehr dorthin.
moyo-error-in-box = Die { $digit } kann nicht nach { $square }: Sie liegt schon im selben Gebiet, auf { $at }.
moyo-error-in-row = Die { $digit } kann nicht nach { $square }: Sie liegt schon in derselben Zeile, auf { $at }.
moyo-error-in-column = Die { $digit } kann nicht nach { $square }: Sie liegt schon in derselben Spalte, auf { $at }.
moyo-error-no-such-digit = Die Steine tragen die Zahlen 1 bis 9; eine { $digit } gibt es nicht.

moyo-prompt-digit = Wähle jetzt eine Zahl für { $square }.

moyo-effect-wins = gewinnt
moyo-effect-theirs =
    { $cells ->
        [0] { "" }
        [one] schließt 1 Feld
       *[other] schließt { $cells } Felder
    }{ $stones ->
        [0] { "" }
       *[other] { $cells ->
            [0] { "" }
           *[other] { ", " }
        }{ $stones ->
            [one] wendet 1 Stein
           *[other] wendet { $stones } Steine
        }
    }
moyo-effect-own =
    { $cells ->
        [0] { "" }
        [one] kostet dich 1 Feld
       *[other] kostet dich { $cells } Felder
    }{ $stones ->
        [0] { "" }
       *[other] { $cells ->
            [0] { "" }
           *[other] { ", " }
        }{ $stones ->
            [one] wendet 1 Stein von dir
           *[other] wendet { $stones } Steine von dir
        }
    }

moyo-fact-azumaya =
    { $count ->
        [one] Erst das mittlere Gebiet (Azumaya): Auf 1 Feld passt noch ein Stein
       *[other] Erst das mittlere Gebiet (Azumaya): Auf { $count } Felder passt noch ein Stein
    }
moyo-fact-reach = Noch legbare Steine, höchstens: { $first } ({ $light }), { $second } ({ $dark })
moyo-fact-room = Platz für weitere Steine war höchstens noch: { $first } ({ $light }), { $second } ({ $dark })

moyo-reason-stuck = { $winner } hat den letzten Stein gelegt und gewinnt: { $loser } kann nichts mehr legen.
moyo-board-last = Letzter Zug: eine { $step-2 } auf { $step-1 }

# What lies on a cell, for those who listen.

moyo-cell-stone = { $digit }
moyo-cell-moyo = Moyo-Stein

moyo-alt-turn =
    Sudoku Moyo. { $seat ->
        [0] Hell
       *[1] Dunkel
    } ist am Zug{ $open ->
        [0] { "" }
       *[other] , im Azumaya (mittleres Gebiet)
    }.
moyo-alt-over =
    Sudoku Moyo. { $seat ->
        [0] Hell
       *[1] Dunkel
    } hat gewonnen.
moyo-alt-last =
    Letzter Zug: { $seat ->
        [0] Hell
       *[1] Dunkel
    } hat eine { $digit } auf { $square } gelegt.
moyo-alt-losses =
    { $seat ->
        [0] Hell
       *[1] Dunkel
    } verlor Felder: { $cells }, umgedrehte Steine: { $stones }.
moyo-alt-rows = Zeilen von oben, a bis i (Punkt leer, x Moyo-Stein): { $rows }.
moyo-alt-turned = Umgedrehte Steine je Gebiet (1 oben links bis 9 unten rechts): { $stones }.
moyo-alt-reach = Höchstens noch legbar: Hell { $light }, Dunkel { $dark }.
moyo-alt-room = Platz für weitere Steine, höchstens: Hell { $light }, Dunkel { $dark }.
moyo-alt-moves = Möglich: { $moves }.

# Was im Bild steht.
moyo-picture-room =
    noch legbar,
    höchstens
moyo-picture-you = du
moyo-picture-left = übrig

# Warum ein Zug gut ist: steht in Tipps und Analysen hinter dem Zug.
moyo-because-last = lässt der anderen Seite keinen Zug mehr
moyo-because-decides = entscheidet die Partie, denn du kannst sicher mindestens so viele Steine legen, wie die andere Seite überhaupt noch kann
moyo-because-closes =
    { $cells ->
        [0] { "" }
        [one] schließt der anderen Seite ein Feld
       *[other] schließt der anderen Seite { $cells } Felder
    }{ $stones ->
        [0] { "" }
       *[other] { $cells ->
            [0] { $stones ->
                [one] wendet einen Stein der anderen Seite
               *[other] wendet { $stones } Steine der anderen Seite
            }
           *[other] { $stones ->
                [one] {" "}und wendet einen ihrer Steine
               *[other] {" "}und wendet { $stones } ihrer Steine
            }
        }
    }
moyo-because-only = Einen anderen Zug gibt es nicht
moyo-because-takes =
    { $theirs ->
        [one] nimmt der anderen Seite einen möglichen Zug
       *[other] nimmt der anderen Seite { $theirs } mögliche Züge
    } und kostet dich { $mine ->
        [0] keinen
        [one] nur einen
       *[other] nur { $mine }
    }
moyo-because-saves = bringt deine { $digit } auf { $square } unter, bevor sie dir genommen wird
moyo-because-cuts = nimmt der anderen Seite { $theirs } mögliche Züge
moyo-because-spares =
    { $mine ->
        [one] kostet dich nur einen deiner möglichen Züge
       *[other] kostet dich nur { $mine } deiner möglichen Züge
    }
moyo-because-best-trade =
    { $theirs ->
        [0] { "" }
        [one] nimmt der anderen Seite einen möglichen Zug und{ " " }
       *[other] nimmt der anderen Seite { $theirs } mögliche Züge und{ " " }
    }kostet dich { $mine ->
        [0] keinen
        [one] einen
       *[other] { $mine }
    }{ $theirs ->
        [0] { " deiner möglichen Züge" }
       *[other] { "" }
    }, und kein Zug ist günstiger
moyo-because-ahead = lässt dir mehr mögliche Züge ({ $mine }) als der anderen Seite ({ $theirs })
moyo-because-searched = beim Vorausdenken finde ich nichts Besseres

# Namen des Befehls: Der erste wird gezeigt.
moyo-command = moyo sudokumoyo
