# Black Box, allein oder mit einem zweiten Spieler, der versteckt.

blackbox-name = Black Box
blackbox-about = Schick Strahlen in einen geschlossenen Kasten und finde die Steine: allein oder zu zweit.
blackbox-usage = Frag an einem Eingang, { $before }frage 17, markiere ein Feld, { $before }markiere c4, und am Ende { $before }rate.
blackbox-rules =
    Im geschlossenen Kasten liegen Steine, meist fünf. Schick vom Rand Strahlen hinein und schließ aus den Antworten, wo sie liegen, für möglichst wenig Punkte.

    Die Eingänge sind ab der Ecke links oben im Uhrzeigersinn nummeriert. Ein Strahl läuft geradeaus, bis er auf einen Stein trifft:

    Stein direkt voraus: ein Treffer, im Bild eine Zielscheibe. Der Strahl endet.
    Stein auf einer Seite neben dem nächsten Feld: Der Strahl knickt davor weg.
    Steine auf beiden Seiten: ein Unfall, im Bild ein Stern. Der Strahl endet, ebenso wenn schon neben dem ersten Feld ein Stein liegt.
    Sonst kommt er irgendwo heraus, und beide Enden tragen dasselbe Zeichen.

    Jede Antwort am Rand kostet einen Punkt, ein Strahl, der herauskommt, also zwei. Was schon beantwortet ist, kostet nichts.

    Marken sind deine Notizen: Setz sie, wo du Steine vermutest. Antworten, die nicht passen, tragen ein Ausrufezeichen.

    Wenn du rätst, endet die Suche: Jeder falsche Stein kostet fünf Punkte. Zu wenige Marken: Jeder ausgelassene Stein zählt als falsch. Zu viele: jede Marke ohne Stein. Bei fünf Steinen sind 16 Punkte gut.

    Felder heißen nach Spalte und Zeile; a1 ist links oben. Was markiert ist, nimmt entferne c4 wieder weg, und leeren alle Marken. Eingänge heißen auch nach ihrer Seite: O3 oben, R3 rechts, frage U3 unten (von links), L3 links (von oben).

    Zu zweit: Einer versteckt, der andere sucht, dann wird getauscht. Weniger Punkte gewinnen. Zeit um nach dem ersten Zug: verloren; remis, wenn niemand mehr siegen kann.

blackbox-seat-0 = Zuerst suchen
blackbox-seat-1 = Zuerst verstecken
blackbox-role-hider = versteckt
blackbox-role-seeker = sucht
blackbox-waits-hider = Erst wird versteckt.
blackbox-waits-seeker = Jetzt wird gesucht.
blackbox-challenge-side = { $name } hätte gern: { $side }.
blackbox-mark-0 = ⚪
blackbox-mark-1 = ⚫

blackbox-group-ask = fragen
blackbox-group-mark = markieren
blackbox-group-hide = verstecken

blackbox-option-mode = Spieler
blackbox-option-mode-solo = Einer: Der Kasten wird gefüllt
blackbox-option-mode-hide = Zwei: Ihr versteckt füreinander
blackbox-option-size = Größe des Kastens
blackbox-option-size-8 = 8×8
blackbox-option-size-5 = 5×5
blackbox-option-size-6 = 6×6
blackbox-option-size-10 = 10×10
blackbox-option-stones = Steine
blackbox-option-stones-5 = 5
blackbox-option-stones-4 = 4, für Anfänger
blackbox-option-stones-3 = 3
blackbox-option-stones-6 = 6
blackbox-option-stones-7 = 7
blackbox-option-stones-8 = 8
blackbox-option-fair = Gefüllte Kästen
blackbox-option-fair-yes = Immer ohne Glück lösbar
blackbox-option-fair-no = Beliebig, auch wenn man zuletzt raten muss

blackbox-error-no-entry = Es gibt keinen Eingang { $entry }. Die Eingänge haben die Nummern 1 bis { $last }, von der Ecke links oben an im Uhrzeigersinn.
blackbox-error-already-asked =
    { $answer ->
        [T] Eingang { $entry } ist schon beantwortet: ein Treffer.
        [U] Eingang { $entry } ist schon beantwortet: ein Unfall.
       *[other] Eingang { $entry } ist schon beantwortet: Sein Strahl kommt bei { $answer } heraus.
    }
blackbox-error-marked = { $square } ist schon markiert. { $before }entferne { $square } nimmt die Marke weg.
blackbox-error-not-marked = Auf { $square } liegt keine Marke.
blackbox-error-no-marks = Es gibt keine Marken, die man wegräumen könnte.
blackbox-error-box-closed = Die Steine liegen schon, und niemand darf sie bewegen. Jetzt wird gefragt, markiert und geraten.
blackbox-error-still-hiding = Versteck zuerst deine Steine: { $before }verstecke a2 für jeden, danach { $before }fertig.
blackbox-error-not-all-hidden = In den Kasten gehören genau { $stones } Steine. Versteck erst die übrigen, dann sag „fertig“.
blackbox-error-all-hidden = Alle { $stones } Steine liegen im Kasten. Sag „fertig“, oder nimm erst einen heraus.
blackbox-error-hidden-there = Dort liegt schon einer deiner Steine.
blackbox-error-nothing-hidden = Dort liegt keiner deiner Steine.

blackbox-effect-guess =
    { $count ->
        [0] beendet die Suche, ohne Marke
        [one] beendet die Suche, mit 1 Marke
       *[other] beendet die Suche, mit { $count } Marken
    }
blackbox-caution-too-few =
    { $count ->
        [0] Du hast noch keine Marke gesetzt
        [one] Du hast nur 1 Marke gesetzt
       *[other] Du hast nur { $count } Marken gesetzt
    }, es sind aber { $stones } Steine. Jeder fehlende kostet so viel wie ein falscher: mindestens { $points } Punkte. Trotzdem raten?
blackbox-caution-too-many =
    Du hast { $count } Marken gesetzt, es sind aber nur { $stones } Steine. { $wrong ->
        [one] Mindestens eine Marke ist
       *[other] Mindestens { $wrong } Marken sind
    } falsch: { $points } Punkte oder mehr. Trotzdem raten?

blackbox-caution-contradiction =
    { $count ->
        [one] Eine Antwort widerspricht
       *[other] { $count } Antworten widersprechen
    } deinen Marken, sie können also nicht alle stimmen. Trotzdem raten?

blackbox-fact-cost =
    { $count ->
        [one] 1 Punkt
       *[other] { $count } Punkte
    }
blackbox-fact-cost-of =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    }: { $count ->
        [one] 1 Punkt
       *[other] { $count } Punkte
    }
blackbox-fact-sum =
    { $count ->
        [one] 1 Punkt
       *[other] { $count } Punkte
    }: { $answers } für Antworten{ $wrong ->
        [0] , kein Stein falsch
        [one] , { $stones } für 1 falschen oder fehlenden Stein
       *[other] , { $stones } für { $wrong } falsche oder fehlende Steine (je { $each })
    }
blackbox-fact-sum-of =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    }: { $count ->
        [one] 1 Punkt
       *[other] { $count } Punkte
    } ({ $answers } für Antworten{ $wrong ->
        [0] , kein Stein falsch)
        [one] , { $stones } für 1 falschen Stein)
       *[other] , { $stones } für { $wrong } falsche Steine)
    }
blackbox-fact-marks =
    { $count ->
        [one] 1 Marke
       *[other] { $count } Marken
    }, { $stones } Steine
blackbox-fact-contradicted =
    { $missing ->
        [0] { $count ->
            [one] 1 Antwort widerspricht den Marken
           *[other] { $count } Antworten widersprechen den Marken
        }
       *[other] { $count ->
            [one] 1 Antwort passt noch nicht zu den Marken
           *[other] { $count } Antworten passen noch nicht zu den Marken
        }
    }
blackbox-fact-hiding =
    { $hidden ->
        [0] Du versteckst { $stones } Steine, und { $seat ->
            [0] { $second }
           *[1] { $first }
        } sucht sie{ $leg ->
            [1] ; danach tauscht ihr
           *[other] { "" }
        }. Wähle ein Feld für den ersten Stein
       *[other] Versteckt { $hidden } von { $stones }: { $left ->
            [0] Drück „{ blackbox-button-ready }“, oder hol einen Stein zurück
           *[other] Wähle ein Feld für den nächsten Stein
        }
    }
blackbox-fact-closed =
    { $seat ->
        [0] { $first } versteckt { $stones } Steine, und { $second } sucht sie
       *[1] { $second } versteckt { $stones } Steine, und { $first } sucht sie
    }{ $leg ->
        [1] ; danach tauschen beide
       *[other] { "" }
    }

# What was guessed is told by the board.
blackbox-board-last =
    { $step-1 ->
        [guess] { "" }
       *[other] Letzter Zug: { $move }
    }
blackbox-reason-guessed = Es wurde geraten, und der Kasten ist offen.
blackbox-reason-lower-cost = { $winner } gewinnt mit { $won } zu { $lost } Punkten: Weniger sind besser.
blackbox-reason-equal-cost = Unentschieden: { $first } und { $second } haben je { $won } Punkte.

blackbox-ending-resigned-alone = Aufgegeben. Das zählt so, als wäre nichts geraten worden.
blackbox-ending-timeout-alone = Die Zeit ist abgelaufen. Das zählt so, als wäre nichts geraten worden.

# Warum der Computer so zöge: steht hinter dem, was er täte (siehe unten).

blackbox-because-parts = Die Antwort dürfte etwa { $percent } % der Möglichkeiten ausschließen
blackbox-because-settles = Was auch herauskommt, danach kennst du den ganzen Kasten
blackbox-because-known = Es gibt nichts mehr herauszufinden
blackbox-because-risk =
    { $points ->
        [one] Weiterzufragen würde mehr kosten als den einen Punkt, den du riskierst
       *[other] Weiterzufragen würde mehr kosten als die { $points } Punkte, die du riskierst
    }
blackbox-because-certain = Dort muss ein Stein liegen
blackbox-because-likely = Dort liegt zu { $percent } % ein Stein
blackbox-because-empty = Dort kann kein Stein liegen
blackbox-because-unlikely = Dort liegt nur zu { $percent } % ein Stein
blackbox-because-hides = Über einen Stein dort verraten Strahlen wenig
blackbox-because-hidden = Alle deine Steine liegen

# What lies on a cell, for those who listen.

blackbox-cell-hit = Treffer
blackbox-cell-accident = Unfall
blackbox-cell-through = kommt bei { $entry } heraus
blackbox-cell-marked = markiert
blackbox-cell-stone = dein Stein

blackbox-alt-box = Black Box, { $size } mal { $size }, { $stones } Steine.
blackbox-alt-leg = Runde { $leg } von zwei.
blackbox-alt-hiding = Noch werden die Steine versteckt.
blackbox-alt-hidden =
    { $count ->
        [0] Du versteckst; noch liegt kein Stein.
       *[other] Du versteckst; bisher: { $cells }.
    }
blackbox-alt-former = Die Suche zuvor:
blackbox-alt-silent = Noch keine Antworten.
blackbox-alt-last =
    { $answer ->
        [T] Zuletzt: Eingang { $entry }, ein Treffer.
        [U] Zuletzt: Eingang { $entry }, ein Unfall.
       *[other] Zuletzt: Eingang { $entry } kommt bei { $answer } heraus.
    }
blackbox-alt-through = Durchgehende Strahlen ({ $count }): { $rays }.
blackbox-alt-hits = Treffer ({ $count }): { $entries }.
blackbox-alt-accidents = Unfälle ({ $count }): { $entries }.
blackbox-alt-marks =
    { $count ->
        [0] Keine Marken.
       *[other] Marken ({ $count }): { $cells }.
    }
blackbox-alt-contradicted = Antworten, die den Marken widersprechen ({ $count }): { $entries }.
blackbox-alt-stones = Steine: { $cells }; richtig markiert: { $found }.
blackbox-alt-cost = Punkte: { $count }.
blackbox-alt-unasked =
    { $count ->
        [0] Alle Eingänge sind beantwortet.
       *[other] Noch zu fragen ({ $count }): { $entries }.
    }

# Die Antworten in Zuglisten, wo andere eine Zahl sind.
blackbox-answer-t = Treffer
blackbox-answer-u = Unfall

# Was im Bild steht.
blackbox-picture-start =
    Wähl eine Zahl am Rand: Sie
    schickt einen Strahl hinein.
blackbox-picture-hit = Treffer
blackbox-picture-accident = Unfall
blackbox-picture-through = kommt dort heraus
blackbox-picture-doubt = passt nicht
blackbox-picture-point = Punkt
blackbox-picture-points = Punkte
blackbox-picture-marks = markiert
blackbox-picture-found = gefunden
blackbox-picture-stones = Steine

# Schritte, die im Bild keinen Platz haben.
blackbox-button-private = Verstecken
blackbox-button-guess = Raten
blackbox-button-clear = Marken weg
blackbox-button-ready = Fertig

# Namen des Befehls, und Wörter für die der Schreibweise des Spiels: Das erste wird gezeigt.
blackbox-command = blackbox box ordo
blackbox-word-ask = frage fragen frag strahl
blackbox-word-mark = markiere markieren merke setze
blackbox-word-unmark = entferne demarkiere lösche
blackbox-word-clear = leeren leere räumen
blackbox-word-guess = rate raten tippe tippen
blackbox-word-hide = verstecke verstecken
blackbox-word-unhide = hole holen zurück
blackbox-word-ready = fertig bereit
blackbox-word-top = oben o
blackbox-word-right = rechts
blackbox-word-bottom = unten u
blackbox-word-left = links

# Wörter für Optionen und ihre Auswahl: Das erste wird gezeigt. Zahlen brauchen keins.
blackbox-typed-mode = spieler
blackbox-typed-mode-solo = allein
blackbox-typed-mode-hide = verstecken
blackbox-typed-size = größe groesse
blackbox-typed-stones = steine
blackbox-typed-fair = fair
blackbox-typed-fair-yes = ja
blackbox-typed-fair-no = nein

# Was der Computer täte, vor dem Grund: $what ist ein Eingang oder ein Feld.

blackbox-hint-ask = Ich würde bei { $what } fragen
blackbox-hint-mark = Ich würde { $what } markieren
blackbox-hint-unmark = Ich würde die Marke auf { $what } entfernen
blackbox-hint-clear = Ich würde alle Marken entfernen
blackbox-hint-guess = Ich würde jetzt raten
blackbox-hint-hide = Ich würde auf { $what } einen Stein verstecken
blackbox-hint-unhide = Ich würde den Stein auf { $what } zurückholen
blackbox-hint-ready = Ich würde es so lassen

# Was der Ratgeber dazu sagt: wie es steht, was die Frage davon übrig lässt, was es kostet; $count und
# $left sind Anordnungen, große Zahlen sind gerundet.

blackbox-advice-possible =
    { $count ->
        [one] Nur eine Anordnung ist noch möglich.
       *[other] { $count } Anordnungen sind noch möglich.
    }
blackbox-advice-possible-many = Etwa { NUMBER($count, useGrouping: "true") } Anordnungen sind noch möglich.
blackbox-advice-possible-sampled = Nach einer Stichprobe sind noch etwa { NUMBER($count, useGrouping: "true") } Anordnungen möglich.
blackbox-advice-best =
    { $counted ->
        [exactly] Von { $count } Anordnungen, die jetzt möglich sind,
        [sampled] Nach einer Stichprobe sind jetzt etwa { NUMBER($count, useGrouping: "true") } Anordnungen möglich; davon
       *[roughly] Von etwa { NUMBER($count, useGrouping: "true") } Anordnungen, die jetzt möglich sind,
    } { $left ->
        [one] sollte nach { $entry } nur noch eine
       *[other] sollten nach { $entry } noch { NUMBER($left, useGrouping: "true") }
    } übrig sein. Bis zum Ende dürfte es { $cost ->
        [one] einen Punkt
       *[other] { $cost } Punkte
    } kosten.
blackbox-advice-as-good = Genauso gut: { $entries }.
blackbox-advice-dearer =
    { $cost ->
        [one] Teurer: { $entries }, mit einem Punkt.
       *[other] Teurer: { $entries }, mit { $cost } Punkten.
    }

# Was er hinterher sagt.

blackbox-course-whose =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } suchte:
blackbox-course-step =
    { $entry } → { $answer ->
        [T] Treffer
        [U] Unfall
       *[other] { $answer }
    }: { $left ->
        [one] Eine Anordnung blieb übrig.
       *[other] { $left } Anordnungen blieben übrig.
    }
blackbox-course-step-many =
    { $entry } → { $answer ->
        [T] Treffer
        [U] Unfall
       *[other] { $answer }
    }: Etwa { NUMBER($left, useGrouping: "true") } Anordnungen blieben übrig.
blackbox-course-step-unknown =
    { $entry } → { $answer ->
        [T] Treffer
        [U] Unfall
       *[other] { $answer }
    }
blackbox-course-avoidable = { $entry } war die erste Frage, die nichts Neues verriet.
blackbox-course-contradicted = Schon die Antwort bei { $entry } sprach gegen das, was geraten wurde.
blackbox-course-refuting = { $entry } hätte gezeigt, dass falsch geraten wurde.
blackbox-course-best =
    { $points ->
        [one] Das hat { $cost } Punkte gekostet. Einer hätte gereicht: { $entries }.
       *[other] Das hat { $cost } Punkte gekostet. { $points } hätten gereicht, weniger nicht: { $entries }.
    }
blackbox-course-best-reached =
    { $cost ->
        [one] Das hat einen Punkt gekostet. Sicher wissen konnte man es nicht für weniger.
       *[other] Das hat { $cost } Punkte gekostet. Sicher wissen konnte man es nicht für weniger.
    }
blackbox-course-cost =
    { $cost ->
        [one] Das hat einen Punkt gekostet.
       *[other] Das hat { $cost } Punkte gekostet.
    }
