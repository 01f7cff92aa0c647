# Othello, mit Reversi als Variante.

othello-name = Othello
othello-about = Steine einschließen und umdrehen auf 8×8 Feldern. Die meisten Steine gewinnen. Zu zweit.
othello-usage = Nenne ein Feld: { $before }d3. Bei Reversi dazu die Richtung, wenn es mehrere gibt: { $before }d3:no.
othello-rules =
    Ziel: am Ende die meisten Steine haben.

    Aufbau: Zwei schwarze und zwei weiße Steine liegen auf den vier Feldern der Mitte. Schwarz beginnt.

    Zug: Lege einen Stein deiner Farbe so auf ein freies Feld, dass er Steine des Gegners einschließt. Sie liegen dann lückenlos in gerader Linie zwischen dem neuen Stein und einem anderen von dir: waagerecht, senkrecht oder diagonal. Alle eingeschlossenen Steine werden umgedreht, in allen Richtungen zugleich. Steine, die erst durch das Umdrehen zwischen zwei deiner Steine geraten, bleiben liegen.

    Aussetzen: Jeder Zug muss mindestens einen Stein umdrehen. Geht das nicht, setzt du von selbst aus. Geht es, darfst du nicht aussetzen.

    Ende: Die Partie endet, wenn beide nicht mehr ziehen können. Wer mehr Steine hat, gewinnt und bekommt auch die freien Felder. Bei Gleichstand ist es unentschieden.

    Zeit: Läuft deine Uhr ab, verlierst du. Hast du noch nicht gezogen, wird die Partie abgebrochen (ohne Wertung).

    Felder heißen nach Spalte und Zeile: a1 ist oben links, h8 unten rechts.

    Tipps: Wenige Steine am Anfang lassen dir später oft mehr Auswahl. Ecken kann niemand mehr umdrehen, also Vorsicht neben einer freien Ecke.

    Variante Reversi: Die ersten vier Steine legt ihr selbst, abwechselnd auf die vier Felder der Mitte. Danach dreht jeder Zug nur eine der eingeschlossenen Reihen um. Gibt es mehrere, nenne die Richtung dazu: d3:no dreht die im Nordosten um (n no o so s sw w nw; Norden ist oben).

othello-seat-0 = Schwarz
othello-seat-1 = Weiß
othello-mark-0 = ⚫
othello-mark-1 = ⚪

othello-option-rules = Variante
othello-option-rules-othello = Othello
othello-option-rules-reversi = Reversi: freie Eröffnung, eine Reihe je Zug

othello-error-occupied = Auf { $square } liegt schon ein Stein. Wähle ein freies Feld.
othello-error-flips-nothing = Ein Stein auf { $square } dreht nichts um. Jeder Zug muss mindestens einen Stein umdrehen.
othello-error-not-centre = { $square } liegt nicht in der Mitte. Die ersten vier Steine gehören auf die vier Felder der Mitte.
othello-error-can-move = Du darfst nicht aussetzen, solange du ziehen kannst, zum Beispiel auf { $square }.
othello-error-no-line = In dieser Richtung gibt es nichts umzudrehen. Du kannst { $moves } spielen.

othello-prompt-line = Welche Reihe soll umgedreht werden? Wähle ihre Richtung von { $square } aus.

othello-effect-flips =
    { $count ->
        [one] dreht einen Stein um
       *[other] dreht { $count } Steine um
    }

othello-fact-score = Steine: { $first } { $black }, { $second } { $white }
othello-fact-credited =
    { $count ->
        [one] 1 freies Feld geht an
       *[other] { $count } freie Felder gehen an
    } { $seat ->
        [0] { $first }
       *[1] { $second }
    }
othello-fact-passed =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } musste aussetzen
othello-fact-opening =
    { $count ->
        [one] Noch 1 Feld der Mitte frei
       *[other] Noch { $count } Felder der Mitte frei
    }

othello-reason-discs = { $winner } gewinnt mit { $won } zu { $lost } Steinen.
othello-reason-wipe-out = { $winner } gewinnt mit { $won } zu { $lost } Steinen. { $loser } hat keinen Stein mehr, also gehen alle freien Felder an { $winner }.
othello-reason-draw = Unentschieden: je { $won } Steine.

# Was auf einem Feld liegt, für Screenreader.

othello-cell-disc =
    { $seat ->
        [0] schwarz
       *[1] weiß
    }

# Das Bild in Worten, für Screenreader.

othello-alt-turn =
    { $seat ->
        [0] Othello, Schwarz ist am Zug.
       *[1] Othello, Weiß ist am Zug.
    }
othello-alt-won =
    { $seat ->
        [0] Othello, Schwarz hat { $black } zu { $white } gewonnen.
       *[1] Othello, Weiß hat { $white } zu { $black } gewonnen.
    }
othello-alt-draw = Othello, unentschieden { $black } zu { $white }.
othello-alt-last =
    { $seat ->
        [0] Schwarz hat { $square } gespielt
       *[1] Weiß hat { $square } gespielt
    }{ $count ->
        [0] .
       *[other] {" "}und { $flipped } umgedreht.
    }
othello-alt-passed =
    { $seat ->
        [0] Danach musste Schwarz aussetzen.
       *[1] Danach musste Weiß aussetzen.
    }
othello-alt-discs =
    { $seat ->
        [0] Schwarz
       *[1] Weiß
    } { $count ->
        [0] hat keine Steine.
       *[other] hat { $count }: { $squares }.
    }
othello-alt-moves = Mögliche Züge ({ $count }): { $moves }.

# Warum ein Zug gut ist. Jeder Text ist ein Satz hinter dem Doppelpunkt eines Tipps.
othello-because-wins = Damit gewinnst du die Partie { $own }:{ $other }
othello-because-loses = Damit endet die Partie, und du verlierst { $own }:{ $other }
othello-because-draws = Damit endet die Partie unentschieden
othello-because-ahead = Damit gewinnst du mindestens { $own }:{ $other }, was auch kommt
othello-because-level = Damit hältst du das Unentschieden, was auch kommt
othello-because-behind = Damit rettest du, was zu retten ist, und verlierst { $own }:{ $other }
othello-because-must-pass = Etwas anderes geht nicht, denn kein Zug würde einen Stein umdrehen
othello-because-only = Einen anderen Zug gibt es nicht
othello-because-centre = Die ersten vier Steine kommen in die Mitte
othello-because-corner = Damit nimmst du die Ecke { $square }, und die kann niemand mehr umdrehen
othello-because-pass = Damit muss der Gegner aussetzen, und du bist gleich wieder am Zug
othello-because-guards = Damit hältst du den Gegner von der Ecke { $square } fern
othello-because-threatens = Damit zielst du auf die Ecke { $square }
othello-because-safe = Damit baust du auf deine Ecke, darum bleibt dieser Stein für immer deiner
othello-because-keeps =
    { $count ->
        [one] Damit verschenkst du keine Ecke, anders als mit einem anderen Zug
       *[other] Damit verschenkst du keine Ecke, anders als mit { $count } anderen Zügen
    }
othello-because-no-better = Was du auch spielst, dein Gegner kann eine Ecke nehmen, hier { $square }
othello-because-exchange = Damit gibst du die Ecke { $square } her, kannst aber dafür dann { $other } nehmen
othello-because-corner-but =
    { $count ->
        [one] Damit gibst du die Ecke { $square } her, lässt dem Gegner aber keinen anderen Zug
       *[other] Damit gibst du die Ecke { $square } her, lässt dem Gegner aber nur { $count } Züge
    }
othello-because-corner-for = Damit gibst du die Ecke { $square } her, und dir { $count ->
        [0] bleiben danach keine Züge
        [one] bleibt danach ein Zug
       *[other] bleiben danach { $count } Züge
    } gegen { $other } des Gegners
othello-because-mobility =
    { $count ->
        [one] Damit hat der Gegner nur einen Zug
       *[other] Damit hat der Gegner nur { $count } Züge
    }
othello-because-fewest = Damit hat der Gegner { $count } Züge, und jeder andere Zug lässt ihm mehr
othello-because-as-few = Damit hat der Gegner { $count } Züge, und kein Zug lässt ihm weniger
othello-because-inside = Damit drehst du nur innere Steine um, die an kein freies Feld grenzen
othello-because-quiet =
    { $count ->
        [one] Damit drehst du nur einen Stein um, ein stiller Zug
       *[other] Damit drehst du nur { $count } Steine um, ein stiller Zug
    }
othello-because-fewest-flipped =
    { $count ->
        [one] Damit drehst du einen Stein um, und kein Zug dreht weniger um
       *[other] Damit drehst du { $count } Steine um, und kein Zug dreht weniger um
    }
othello-because-closed =
    { $count ->
        [one] Damit drehst du Steine um, die nur an ein freies Feld grenzen, und kein Zug öffnet weniger
       *[other] Damit drehst du Steine um, die nur an { $count } freie Felder grenzen, und kein Zug öffnet weniger
    }
othello-because-choice = Damit hast du mehr Züge ({ $count }) als der Gegner ({ $other })
othello-because-most =
    { $count ->
        [one] Damit hast du einen Zug, und kein Zug lässt dir mehr
       *[other] Damit hast du { $count } Züge, und kein Zug lässt dir mehr
    }
othello-because-fills = Damit füllst du eine Lücke, in die nur ein Stein passt
othello-because-parity = Damit bleibt dort eine gerade Zahl freier Felder ({ $count }), und wer da anfängt, hat nicht den letzten Zug
othello-because-ahead-of = Wenn man { $count } Züge weiterdenkt, ist nichts besser
othello-because-searched = Beim Vorausdenken finde ich nichts Besseres
othello-because-balance = Dir { $count ->
        [0] bleiben danach keine Züge
        [one] bleibt danach ein Zug
       *[other] bleiben danach { $count } Züge
    } gegen { $other } des Gegners

# Namen des Befehls und Wörter der Schreibweise. Das erste wird gezeigt.
othello-command = othello reversi
othello-word-pass = aussetzen passe passen
othello-word-n = n nord
othello-word-ne = no nordost
othello-word-e = o ost
othello-word-se = so südost
othello-word-s = s süd
othello-word-sw = sw südwest
othello-word-w = w west
othello-word-nw = nw nordwest

# Getippte Wörter für Optionen und ihre Auswahl. Das erste wird gezeigt. Zahlen brauchen keins.
othello-typed-rules = variante spielart
othello-typed-rules-othello = othello
othello-typed-rules-reversi = reversi
