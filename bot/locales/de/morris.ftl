# Mühle.

morris-name = Mühle
morris-about = Setzen, ziehen und springen. Drei in einer Reihe schlagen einen Stein. Zu zweit.
morris-usage = { $before }d6 setzt einen Stein, { $before }d6-d7 zieht ihn, { $before }d6-d7xg4 schlägt dazu g4.
morris-rules =
    Ziel: Mühlen schließen und damit Steine des Gegners schlagen. Du gewinnst, wenn dein Gegner weniger als drei Steine hat oder am Zug nicht ziehen kann.

    Aufbau: Das Brett ist am Anfang leer. Jeder hat neun Steine. Weiß beginnt.

    Setzen: Zuerst setzt ihr abwechselnd je einen Stein auf einen freien Punkt (d6).

    Ziehen: Sind deine Steine alle gesetzt, ziehst du einen davon auf einer Linie zum nächsten freien Punkt (d6-d7). Mit nur noch drei Steinen darfst du auf jeden freien Punkt springen.

    Mühlen: Drei deiner Steine nebeneinander auf einer Linie sind eine Mühle. Wann immer du eine schließt, auch beim Setzen, musst du einen Stein des Gegners schlagen (d6xg4 oder d6-d7xg4). Ein Stein in einer Mühle ist sicher, solange es einen anderen gibt. Zwei Mühlen auf einmal schlagen trotzdem nur einen Stein. Wer eine Mühle öffnet und wieder schließt, schlägt erneut.

    Unentschieden: nach 20 Zügen in Folge ohne Mühle. Gezählt werden die Züge beider, sobald alle Steine gesetzt sind. Ebenso, wenn dieselbe Stellung mit derselben Seite am Zug zum dritten Mal entsteht.

    Zeit: Läuft deine Uhr ab, verlierst du. Hast du noch nicht gezogen, wird die Partie abgebrochen (ohne Wertung).

    Punkte heißen nach Linie und Reihe, so wie Weiß das Brett sieht: a bis g von links nach rechts, 1 bis 7 von unten nach oben.

    Auf Wunsch ist es erst nach 50 oder 100 Zügen unentschieden, und Steine in Mühlen sind immer sicher.

morris-seat-0 = Weiß
morris-seat-1 = Schwarz
morris-mark-0 = ⚪
morris-mark-1 = ⚫

morris-option-draw_after = Unentschieden nach Zügen ohne Mühle
morris-option-draw_after-20 = 20
morris-option-draw_after-50 = 50
morris-option-draw_after-100 = 100
morris-option-capture_from_mills = Steine aus Mühlen schlagen
morris-option-capture_from_mills-if_no_other = Wenn es keinen anderen gibt
morris-option-capture_from_mills-never = Nie

morris-error-occupied =
    { $seat ->
        [0] Auf { $square } steht schon ein weißer Stein. Wähle einen freien Punkt.
       *[1] Auf { $square } steht schon ein schwarzer Stein. Wähle einen freien Punkt.
    }
morris-error-all-placed = Deine Steine sind alle gesetzt. Nenne den Stein und sein Ziel, etwa d6-d7.
morris-error-still-placing =
    { $count ->
        [one] Du hast noch 1 Stein zu setzen. Nenne einen freien Punkt.
       *[other] Du hast noch { $count } Steine zu setzen. Nenne einen freien Punkt.
    }
morris-error-empty = Auf { $square } steht kein Stein. Wähle einen deiner Steine.
morris-error-not-your-stone = Der Stein auf { $square } gehört deinem Gegner. Wähle einen von deinen.
morris-error-not-adjacent = { $to } liegt nicht neben { $from }. Springen darfst du erst mit drei Steinen, und du hast { $count }.
morris-error-capture-due = Damit schließt du eine Mühle. Nenne dazu den Stein, den du schlägst, zum Beispiel { $example }. Du kannst { $stones } schlagen.
morris-error-name-the-mill = { $square } schlägst du nur mit einem Zug, der eine Mühle schließt. Nenne beides zusammen, zum Beispiel { $example }.
morris-error-no-capture-due = Damit schließt du keine Mühle, also schlägst du auch nichts. Nenne nur den Zug: { $example }
morris-error-not-opponents = Auf { $square } steht kein Stein deines Gegners. Wähle einen anderen zum Schlagen.
morris-error-in-a-mill = Der Stein auf { $square } ist in einer Mühle sicher. Du kannst { $stones } schlagen.
morris-error-nothing-to-take = Alle Steine deines Gegners sind in Mühlen sicher, also schlägt diese Mühle nichts. Nenne nur den Zug: { $example }

morris-prompt-target = Wohin soll der Stein von { $square }?
morris-prompt-take =
    { $seat ->
        [0] { $square } schließt eine Mühle. Schlag einen weißen Stein.
       *[1] { $square } schließt eine Mühle. Schlag einen schwarzen Stein.
    }

morris-effect-takes = schließt eine Mühle, schlägt { $square }
morris-effect-mill = schließt eine Mühle

morris-fact-placing = Noch zu setzen: { $first } { $white }, { $second } { $black }
morris-fact-sliding = Alle Steine sind gesetzt
morris-fact-jumping =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } darf springen
morris-fact-both-jump = Beide dürfen springen
morris-fact-taken = Geschlagen haben: { $first } { $white }, { $second } { $black }
morris-fact-draw-near =
    { $count ->
        [one] Noch 1 Zug ohne Mühle, dann ist es unentschieden
       *[other] Noch { $count } Züge von euch beiden ohne Mühle, dann ist es unentschieden
    }
morris-fact-second-time = Diese Stellung steht zum zweiten Mal: Beim dritten ist es unentschieden

morris-reason-few-stones = { $winner } gewinnt: { $loser } hat nur noch zwei Steine.
morris-reason-no-move = { $winner } gewinnt: { $loser } kann nicht mehr ziehen.
morris-reason-no-mill = Unentschieden: { $draw_after } Züge in Folge ohne Mühle.
morris-reason-repetition = Unentschieden: dieselbe Stellung zum dritten Mal.

# Was auf einem Punkt steht, für Screenreader.

morris-cell-stone =
    { $seat ->
        [0] weiß
       *[1] schwarz
    }

# Das Bild in Worten, für Screenreader.

morris-alt-turn =
    { $seat ->
        [0] Mühle, Weiß ist am Zug.
       *[1] Mühle, Schwarz ist am Zug.
    }
morris-alt-over-repetition = Mühle, unentschieden: dieselbe Stellung zum dritten Mal.
morris-alt-over-no-mill = Mühle, unentschieden: zu viele Züge in Folge ohne Mühle.
morris-alt-over-few-stones =
    { $seat ->
        [0] Mühle, Weiß hat gewonnen: Schwarz hat nur noch zwei Steine.
       *[1] Mühle, Schwarz hat gewonnen: Weiß hat nur noch zwei Steine.
    }
morris-alt-over-no-move =
    { $seat ->
        [0] Mühle, Weiß hat gewonnen: Schwarz kann nicht mehr ziehen.
       *[1] Mühle, Schwarz hat gewonnen: Weiß kann nicht mehr ziehen.
    }
morris-alt-last =
    { $seat ->
        [0] Weiß spielte { $move }.
       *[1] Schwarz spielte { $move }.
    }
morris-alt-last-mill =
    { $seat ->
        [0] Weiß spielte { $move } und schloss { $mills ->
            [one] eine Mühle
           *[other] zwei Mühlen
        }, aber zu schlagen gab es nichts.
       *[1] Schwarz spielte { $move } und schloss { $mills ->
            [one] eine Mühle
           *[other] zwei Mühlen
        }, aber zu schlagen gab es nichts.
    }
morris-alt-last-takes =
    { $seat ->
        [0] Weiß spielte { $move }, schloss { $mills ->
            [one] eine Mühle
           *[other] zwei Mühlen
        } und schlug den Stein auf { $square }.
       *[1] Schwarz spielte { $move }, schloss { $mills ->
            [one] eine Mühle
           *[other] zwei Mühlen
        } und schlug den Stein auf { $square }.
    }
morris-alt-stones =
    { $seat ->
        [0] Weiß: { $stones }; { $hand } in der Hand, { $lost } verloren.
       *[1] Schwarz: { $stones }; { $hand } in der Hand, { $lost } verloren.
    }
morris-alt-no-stones = kein Stein auf dem Brett
morris-alt-place = Punkte zum Setzen: { $points }.
morris-alt-slide = Erlaubte Züge: { $moves }.
morris-alt-jump = Die Steine auf { $stones } dürfen springen nach { $points }.
morris-alt-mills = Züge, die eine Mühle schließen: { $moves }. Steine zum Schlagen: { $stones }.
morris-alt-mills-empty = Züge, die eine Mühle schließen: { $moves }. Zu schlagen gibt es nichts.

# Was im Bild steht.
morris-picture-hand = zu setzen
morris-picture-taken = geschlagen

# Namen des Befehls. Der erste wird gezeigt.
morris-command = mühle muehle

# Getippte Wörter für Optionen und ihre Auswahl. Das erste wird gezeigt. Zahlen brauchen keins.
morris-typed-draw_after = remis
morris-typed-capture_from_mills = mühlen muehlen
morris-typed-capture_from_mills-if_no_other = zuletzt
morris-typed-capture_from_mills-never = nie

# Warum ein Zug gut ist. Jeder Text ist ein Satz hinter dem Doppelpunkt eines Tipps.

morris-because-last-three = Damit gewinnst du, denn der Gegner hat nur noch zwei Steine
morris-because-shuts-in = Damit gewinnst du, denn der Gegner kann nicht mehr ziehen
morris-because-draws = Damit endet die Partie unentschieden
morris-because-only = Einen anderen Zug gibt es nicht
morris-because-mill = Damit schließt du eine Mühle
morris-because-mill-takes = Damit schließt du eine Mühle und schlägst { $square }
morris-because-two-mills = Damit schließt du zwei Mühlen auf einmal und schlägst { $square }
morris-because-double-mill = Damit öffnest du eine Mühle, schließt mit demselben Stein die andere (eine Zwickmühle) und schlägst { $square }
morris-because-mill-and-threat = Damit schließt du eine Mühle und schlägst { $square }, der gerade selbst eine schließen wollte
morris-because-mill-and-free = Damit schließt du eine Mühle, schlägst { $square } und befreist { $freed }
morris-because-blocks = Damit verhinderst du eine Mühle auf { $square }
morris-because-blocks-one = Damit verhinderst du eine Mühle auf { $square }, aber nicht die auf { $other }
morris-because-blocks-two = Damit verhinderst du auf { $square } zwei Mühlen auf einmal
morris-because-two-threats = Damit drohst du mit zwei Mühlen auf einmal
morris-because-threatens = Damit drohst du mit einer Mühle auf { $square }
morris-because-opens = Damit öffnest du eine Mühle, die du auf { $square } wieder schließen kannst
morris-because-hems-in =
    { $count ->
        [one] Damit hat der Gegner nur noch einen Zug
       *[other] Damit hat der Gegner nur noch { $count } Züge
    }
morris-because-crossing = Damit besetzt du eine Kreuzung mit vier Wegen
morris-because-room = Damit haben deine Steine mehr Platz
morris-because-lets-none =
    { $count ->
        [one] Damit lässt du dem Gegner keine Mühle, anders als mit einem anderen Zug
       *[other] Damit lässt du dem Gegner keine Mühle, anders als mit { $count } anderen Zügen
    }
morris-because-no-better = Was du auch spielst, der Gegner kann eine Mühle schließen, hier auf { $square }
morris-because-races = Damit lässt du dem Gegner eine Mühle, drohst aber selbst mit einer auf { $square }
morris-because-prepares = Damit bringst du zwei Steine in eine Reihe, zur Mühle fehlt nur noch { $square }
morris-because-cramps =
    { $count ->
        [0] Damit haben die gegnerischen Steine keinen Weg mehr
        [one] Damit nimmst du den gegnerischen Steinen Platz und lässt ihnen einen Weg
       *[other] Damit nimmst du den gegnerischen Steinen Platz und lässt ihnen { $count } Wege
    }
morris-because-keeps-mill = Damit wartest du ab und hältst deine Mühle geschlossen
morris-because-most-room =
    { $count ->
        [one] Damit haben deine Steine einen Weg, und kein Zug lässt ihnen mehr
       *[other] Damit haben deine Steine { $count } Wege, und kein Zug lässt ihnen mehr
    }
morris-because-least-room =
    { $count ->
        [0] Damit haben die gegnerischen Steine keinen Weg
        [one] Damit haben die gegnerischen Steine einen Weg, und kein Zug lässt ihnen weniger
       *[other] Damit haben die gegnerischen Steine { $count } Wege, und kein Zug lässt ihnen weniger
    }
morris-because-searched = Beim Vorausdenken finde ich nichts Besseres
morris-because-balance = Damit haben deine Steine { $count ->
        [one] einen Weg
       *[other] { $count } Wege
    } und die gegnerischen { $other ->
        [0] keinen
        [one] nur einen
       *[other] nur { $other }
    }
