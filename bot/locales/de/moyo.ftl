# Sudoku Moyo.

moyo-name = Sudoku Moyo
moyo-about = Zwei Gärten wachsen in ein Sudoku. Wer den letzten Stein legt, gewinnt. Zu zweit.
moyo-usage = Nenne Feld und Zahl: { $before }e5=7.
moyo-rules =
    Ziel: den letzten Stein legen. Kannst du am Zug keinen mehr legen, hast du verloren.

    Aufbau: Das Brett ist ein Sudoku mit einigen Vorgaben und neun Gebieten. Hell besitzt vier davon, seine Shima (Gärten): oben links, oben Mitte, Mitte rechts und unten links. Dunkel besitzt die vier gegenüber. Das mittlere Gebiet, das Azumaya (Gartenhaus), ist neutral. Wer beginnt, ist zufällig.

    Zug: Lege einen Stein. Wie in jedem Sudoku darf eine Zahl in jeder Zeile, jeder Spalte und jedem Gebiet nur einmal stehen. Jedes Gebiet hat einen Stein von jeder Zahl. Das Sudoku muss nicht aufgehen: Du darfst es verderben, und oft solltest du das auch.

    Eröffnung: Solange noch irgendein Stein ins Azumaya passt, legen beide dort. Danach füllt jeder nur seine eigenen Shima, nie die des anderen.

    Moyo: Jeder Stein sperrt seine Zahl entlang seiner Zeile und Spalte, auch in anderen Gärten. Dieser Einfluss ist sein Moyo. Ein Feld, auf das nichts mehr passt, bekommt einen runden Moyo-Stein. Ein Stein, der nirgends mehr in sein Gebiet passt, wird umgedreht (im Bild eine Raute). Beides geschieht von selbst und ist kein Zug.

    Zeit: Läuft deine Uhr ab, verlierst du. Könnte dein Gegner auch nichts mehr legen, ist es unentschieden. Hast du noch nicht gezogen, wird die Partie abgebrochen (ohne Wertung).

    Felder heißen nach Spalte (a bis i) und Zeile (1 bis 9, von oben): e5=7 legt eine 7 in die Mitte des Bretts.

    Tipp: Halte dir mehr Plätze offen, als dein Gegner hat, und nimm ihm seine.

moyo-seat-0 = Hell
moyo-seat-1 = Dunkel
moyo-mark-0 = ⚪
moyo-mark-1 = ⚫

moyo-challenge-side = { $name } würde { $side } spielen. Wer beginnt, ist zufällig.

moyo-group-box1 = a1–c3
moyo-group-box2 = d1–f3
moyo-group-box3 = g1–i3
moyo-group-box4 = a4–c6
moyo-group-box5 = Azumaya
moyo-group-box6 = g4–i6
moyo-group-box7 = a7–c9
moyo-group-box8 = d7–f9
moyo-group-box9 = g7–i9

moyo-error-occupied = Auf { $square } liegt schon eine { $digit }. Wähle ein leeres Feld.
moyo-error-azumaya-first =
    { $count ->
        [one] { $square } liegt nicht im Azumaya. Spiel erst im mittleren Gebiet: Auf 1 Feld passt dort noch ein Stein.
       *[other] { $square } liegt nicht im Azumaya. Spiel erst im mittleren Gebiet: Auf { $count } Felder passt dort noch ein Stein.
    }
moyo-error-azumaya-done = { $square } liegt im Azumaya, und dort passt kein Stein mehr. Spiel in deinen eigenen Shima.
moyo-error-not-your-shima = { $square } gehört zu den Shima deines Gegners. Spiel in deinen eigenen.
moyo-error-dead = Auf { $square } passt kein Stein mehr, darum liegt dort ein Moyo-Stein. Wähle ein anderes Feld.
moyo-error-in-box = Die { $digit } kann nicht nach { $square }: Sie liegt schon im selben Gebiet, auf { $at }. Wähle eine andere Zahl.
moyo-error-in-row = Die { $digit } kann nicht nach { $square }: Sie liegt schon in derselben Zeile, auf { $at }. Wähle eine andere Zahl.
moyo-error-in-column = Die { $digit } kann nicht nach { $square }: Sie liegt schon in derselben Spalte, auf { $at }. Wähle eine andere Zahl.
moyo-error-no-such-digit = Eine { $digit } gibt es nicht. Die Steine tragen die Zahlen 1 bis 9.

moyo-prompt-digit = Wähle eine Zahl für { $square }.

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
        [one] Erst das Azumaya (Mitte): Auf 1 Feld passt noch ein Stein
       *[other] Erst das Azumaya (Mitte): Auf { $count } Felder passt noch ein Stein
    }
moyo-fact-reach = Höchstens noch zu legen: { $first } { $light }, { $second } { $dark }
moyo-fact-room = Platz für weitere Steine, höchstens: { $first } { $light }, { $second } { $dark }

moyo-reason-stuck = { $winner } gewinnt: { $loser } kann nichts mehr legen.
moyo-board-last = Letzter Zug: eine { $step-2 } auf { $step-1 }

# Was auf einem Feld liegt, für Screenreader.

moyo-cell-stone = { $digit }
moyo-cell-moyo = Moyo-Stein

# Das Bild in Worten, für Screenreader.

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
moyo-alt-reach = Höchstens noch zu legen: Hell { $light }, Dunkel { $dark }.
moyo-alt-room = Platz für weitere Steine, höchstens: Hell { $light }, Dunkel { $dark }.
moyo-alt-moves = Mögliche Züge: { $moves }.

# Was im Bild steht.
moyo-picture-room =
    höchstens noch
    zu legen
moyo-picture-you = du
moyo-picture-left = übrig

# Warum ein Zug gut ist. Jeder Text ist ein Satz hinter dem Doppelpunkt eines Tipps.
moyo-because-last = Damit hat der Gegner keinen Zug mehr
moyo-because-decides = Damit ist die Partie entschieden, denn du kannst sicher mindestens so viele Steine legen wie dein Gegner
moyo-because-closes =
    { $cells ->
        [0] { "" }
        [one] Damit schließt du dem Gegner ein Feld
       *[other] Damit schließt du dem Gegner { $cells } Felder
    }{ $stones ->
        [0] { "" }
       *[other] { $cells ->
            [0] { $stones ->
                [one] Damit wendest du einen Stein des Gegners
               *[other] Damit wendest du { $stones } Steine des Gegners
            }
           *[other] { $stones ->
                [one] {" "}und wendest einen Stein
               *[other] {" "}und wendest { $stones } Steine
            }
        }
    }
moyo-because-only = Einen anderen Zug gibt es nicht
moyo-because-takes =
    { $theirs ->
        [one] Das nimmt dem Gegner einen möglichen Zug
       *[other] Das nimmt dem Gegner { $theirs } mögliche Züge
    } und kostet dich { $mine ->
        [0] keinen
        [one] nur einen
       *[other] nur { $mine }
    }
moyo-because-saves = Damit bringst du deine { $digit } auf { $square } unter, bevor sie dir genommen wird
moyo-because-cuts = Das nimmt dem Gegner { $theirs } mögliche Züge
moyo-because-spares =
    { $mine ->
        [one] Das kostet dich nur einen deiner möglichen Züge
       *[other] Das kostet dich nur { $mine } deiner möglichen Züge
    }
moyo-because-best-trade =
    Das { $theirs ->
        [0] { "" }
        [one] nimmt dem Gegner einen möglichen Zug und{ " " }
       *[other] nimmt dem Gegner { $theirs } mögliche Züge und{ " " }
    }kostet dich { $mine ->
        [0] keinen
        [one] einen
       *[other] { $mine }
    }{ $theirs ->
        [0] { " deiner möglichen Züge" }
       *[other] { "" }
    }, und kein Zug ist günstiger
moyo-because-ahead = Damit hast du mehr mögliche Züge ({ $mine }) als der Gegner ({ $theirs })
moyo-because-searched = Beim Vorausdenken finde ich nichts Besseres

# Namen des Befehls. Der erste wird gezeigt.
moyo-command = moyo sudokumoyo
