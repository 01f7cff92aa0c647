# Othello, wahlweise mit den Regeln von Reversi.

othello-name = Othello
othello-about = Steine einschließen und umdrehen auf 8×8 Feldern: Die meisten Steine gewinnen, zu zweit.
othello-usage = Nenne ein Feld: { $before }d3. Bei Reversi dazu die Reihe, wenn es mehrere gibt: { $before }d3:no.
othello-rules =
    Schwarz beginnt. Lege einen Stein deiner Farbe so, dass er Steine der anderen Farbe einschließt: in gerader Linie, waagerecht, senkrecht oder diagonal, lückenlos zwischen dem neuen Stein und einem anderen von dir.

    Alle eingeschlossenen Steine werden umgedreht, in allen Richtungen zugleich. Steine, die erst durch das Umdrehen zwischen zwei deiner Steine geraten, bleiben liegen.

    Jeder Zug muss mindestens einen Stein umdrehen. Geht das nicht, setzt du aus; das erledigt der Tisch für dich. Geht es, darfst du nicht aussetzen.

    Die Partie endet, wenn beide nicht mehr ziehen können. Wer mehr Steine hat, gewinnt und bekommt auch die freien Felder gutgeschrieben. Bei Gleichstand ist es unentschieden. Wessen Zeit abläuft, der verliert, wenn er schon gezogen hat; sonst zählt die Partie nicht.

    Felder heißen nach Spalte und Zeile: a1 ist oben links, h8 unten rechts.

    Sei nicht gierig: Wenige Steine am Anfang lassen dir später oft mehr Auswahl. Ecken kann niemand mehr umdrehen, also Vorsicht neben einer freien Ecke.

    Reversi, auf Wunsch: Die ersten vier Steine legt ihr selbst, abwechselnd auf die vier Felder der Mitte. Danach dreht jeder Zug nur eine der eingeschlossenen Reihen um. Gibt es mehrere, sagst du, welche: d3:no für die im Nordosten (n no o so s sw w nw; Norden ist oben).

othello-seat-0 = Schwarz
othello-seat-1 = Weiß
othello-mark-0 = ⚫
othello-mark-1 = ⚪

othello-option-rules = Spielart
othello-option-rules-othello = Othello
othello-option-rules-reversi = Reversi: freie Eröffnung, eine Reihe je Zug

othello-error-occupied = Auf { $square } liegt schon ein Stein.
othello-error-flips-nothing = Ein Stein auf { $square } würde nichts umdrehen, und jeder Zug muss etwas umdrehen.
othello-error-not-centre = Die ersten vier Steine gehören auf die vier Felder der Mitte, und { $square } ist keins davon.
othello-error-can-move = Du kannst noch ziehen, zum Beispiel auf { $square }, also darfst du nicht aussetzen.
othello-error-no-line = In dieser Richtung ist keine Reihe eingeschlossen. Du kannst { $moves } spielen.

othello-prompt-line = Welche Linie soll umgedreht werden? Wähle ihre Richtung von { $square } aus.

othello-effect-flips =
    { $count ->
        [one] dreht einen Stein um
       *[other] dreht { $count } Steine um
    }

othello-fact-score = Steine: { $first } ({ $black }), { $second } ({ $white })
othello-fact-credited =
    { $count ->
        [one] Ein freies Feld zählt für
       *[other] { $count } freie Felder zählen für
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
        [one] Noch ein Stein für die Mitte
       *[other] Noch { $count } Steine für die Mitte
    }

othello-reason-discs = { $winner } gewinnt mit { $won } zu { $lost } Steinen.
othello-reason-wipe-out = { $winner } gewinnt { $won } zu { $lost }: { $loser } hat keinen Stein mehr, also zählen auch die freien Felder für { $winner }.
othello-reason-draw = Unentschieden: je { $won } Steine.

# What lies on a cell, for those who listen.

othello-cell-disc =
    { $seat ->
        [0] schwarz
       *[1] weiß
    }

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

# Warum ein Zug gut ist (die Tipps des Computers).
othello-because-wins = Damit endet die Partie, und du gewinnst sie { $own }:{ $other }
othello-because-loses = Damit endet die Partie { $own }:{ $other }
othello-because-draws = Damit endet die Partie unentschieden
othello-because-ahead = Damit gewinnst du mindestens { $own }:{ $other }, was auch kommt
othello-because-level = Damit hältst du das Unentschieden, was auch kommt
othello-because-behind = Damit rettest du, was zu retten ist, und verlierst { $own }:{ $other }
othello-because-must-pass = Etwas anderes geht nicht, denn kein Zug würde einen Stein umdrehen
othello-because-only = Einen anderen Zug gibt es nicht
othello-because-centre = Die ersten vier Steine kommen in die Mitte
othello-because-corner = nimmt die Ecke { $square }, und die kann niemand mehr umdrehen
othello-because-pass = lässt der anderen Seite keinen Zug, also bist gleich wieder du dran
othello-because-guards = hält die andere Seite von der Ecke { $square } fern
othello-because-threatens = zielt auf die Ecke { $square }
othello-because-safe = baut auf deine Ecke, darum bleibt dieser Stein für immer deiner
othello-because-keeps =
    { $count ->
        [one] verschenkt keine Ecke, ein anderer Zug würde es tun
       *[other] verschenkt keine Ecke, { $count } andere Züge würden es tun
    }
othello-because-no-better = Was du auch spielst, die andere Seite kann eine Ecke nehmen, hier { $square }
othello-because-exchange = gibt die Ecke { $square } her, aber dafür kannst du dann { $other } nehmen
othello-because-corner-but =
    { $count ->
        [one] gibt die Ecke { $square } her, lässt der anderen Seite aber keinen anderen Zug
       *[other] gibt die Ecke { $square } her, lässt der anderen Seite aber nur { $count } Züge
    }
othello-because-corner-for = gibt die Ecke { $square } her, und dir { $count ->
        [0] bleiben danach keine Züge
        [one] bleibt danach ein Zug
       *[other] bleiben danach { $count } Züge
    } gegen { $other } der anderen Seite
othello-because-mobility =
    { $count ->
        [one] lässt der anderen Seite nur einen Zug
       *[other] lässt der anderen Seite nur { $count } Züge
    }
othello-because-fewest = lässt der anderen Seite { $count } Züge, weniger als jeder andere
othello-because-as-few = lässt der anderen Seite { $count } Züge, und keiner lässt weniger
othello-because-inside = bleibt im Inneren, denn was er umdreht, grenzt an kein freies Feld
othello-because-quiet =
    { $count ->
        [one] dreht nur einen Stein um, ein stiller Zug
       *[other] dreht nur { $count } Steine um, ein stiller Zug
    }
othello-because-fewest-flipped =
    { $count ->
        [one] dreht einen Stein um, und keiner dreht weniger um
       *[other] dreht { $count } Steine um, und keiner dreht weniger um
    }
othello-because-closed =
    { $count ->
        [one] öffnet wenig, denn was er umdreht, grenzt nur an ein freies Feld, und kein Zug öffnet weniger
       *[other] öffnet wenig, denn was er umdreht, grenzt an { $count } freie Felder, und kein Zug öffnet weniger
    }
othello-because-choice = lässt dir mehr Auswahl ({ $count } Züge) als der anderen Seite ({ $other })
othello-because-most = lässt dir { $count } Züge, und keiner lässt dir mehr
othello-because-fills = füllt eine Lücke, in der nur für einen Stein Platz war
othello-because-parity = lässt dort eine gerade Zahl freier Felder ({ $count }), und wer da anfängt, hat nicht den letzten Zug
othello-because-ahead-of = Wenn man { $count } Züge weiterdenkt, ist nichts besser
othello-because-searched = beim Vorausdenken finde ich nichts Besseres
othello-because-balance = Dir { $count ->
        [0] bleiben danach keine Züge
        [one] bleibt danach ein Zug
       *[other] bleiben danach { $count } Züge
    } gegen { $other } der anderen Seite

# Namen des Befehls, und Wörter für die der Schreibweise des Spiels: Das erste wird gezeigt.
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

# Wörter für Optionen und ihre Auswahl: Das erste wird gezeigt. Zahlen brauchen keins.
othello-typed-rules = variante spielart
othello-typed-rules-othello = othello
othello-typed-rules-reversi = reversi
