# Black Box, allein oder zu zweit, wo man füreinander versteckt.

blackbox-name = Black Box
blackbox-about = Schick Strahlen in einen Kasten und finde die versteckten Steine. Allein oder zu zweit.
blackbox-usage = Schick einen Strahl: { $before }frage 17. Markiere ein Feld: { $before }markiere c4. Gib die Lösung ab: { $before }rate.
blackbox-rules =
    Ziel: die versteckten Steine im Kasten finden, meist fünf, für möglichst wenig Punkte.

    Zug: Schick vom Rand einen Strahl hinein. Die Antwort zeigt, was aus ihm wird. Die Eingänge sind von links oben im Uhrzeigersinn nummeriert.

    Ein Strahl läuft geradeaus und prüft das nächste Feld und die beiden daneben:
    Stein direkt voraus: ein Treffer (Zielscheibe). Der Strahl endet.
    Stein auf einer Seite: Der Strahl knickt davor weg.
    Steine auf beiden Seiten: ein Unfall (Stern). Der Strahl endet. Beim Eintritt genügt einer.
    Hält ihn nichts auf, kommt er heraus, und beide Enden tragen dasselbe Zeichen.

    Punkte: Jede Antwort am Rand kostet einen Punkt, ein Strahl, der herauskommt, also zwei. Schon Beantwortetes kostet nichts.

    Markiere, wo du Steine vermutest: Das kostet nichts. Antworten, die nicht passen, tragen ein Ausrufezeichen.

    Ende: Deine Markierungen sind deine Lösung. Gibst du sie ab, kostet jeder falsche Stein fünf Punkte. Bei zu wenigen zählt jeder nicht gefundene Stein als falsch, bei zu vielen jede ohne Stein. Bei fünf Steinen sind 16 Punkte gut.

    Felder heißen nach Spalte und Zeile: a1 ist links oben. Mit entferne c4 nimmst du eine Markierung weg, mit leeren alle. Eingänge auch nach ihrer Seite: O3 und frage U3 von links, L3 und R3 von oben.

    Zu zweit: Einer versteckt, der andere sucht, dann tauscht ihr. Weniger Punkte gewinnen. Läuft deine Uhr ab, verlierst du. Kann dein Gegner nicht mehr gewinnen, ist es unentschieden. Vor deinem ersten Zug wird die Partie abgebrochen.

blackbox-seat-0 = Zuerst suchen
blackbox-seat-1 = Zuerst verstecken
blackbox-role-hider = versteckt
blackbox-role-seeker = sucht
blackbox-waits-hider = Noch werden die Steine versteckt.
blackbox-waits-seeker = Noch wird gesucht.
blackbox-challenge-side = { $name } hätte gern: { $side }.
blackbox-mark-0 = ⚪
blackbox-mark-1 = ⚫

blackbox-group-ask = fragen
blackbox-group-mark = markieren
blackbox-group-hide = verstecken

blackbox-option-mode = Spieler
blackbox-option-mode-solo = Einer: zufällige Steine
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
blackbox-option-fair = Kästen
blackbox-option-fair-yes = Immer ohne Raten lösbar
blackbox-option-fair-no = Beliebig, auch wenn man raten muss

blackbox-error-no-entry = Es gibt keinen Eingang { $entry }. Die Eingänge haben die Nummern 1 bis { $last }, von der Ecke links oben an im Uhrzeigersinn.
blackbox-error-already-asked =
    { $answer ->
        [T] Eingang { $entry } ist schon beantwortet: ein Treffer.
        [U] Eingang { $entry } ist schon beantwortet: ein Unfall.
       *[other] Eingang { $entry } ist schon beantwortet: Sein Strahl kommt bei { $answer } heraus.
    }
blackbox-error-marked = { $square } ist schon markiert. { $before }entferne { $square } nimmt die Markierung weg.
blackbox-error-not-marked = { $square } ist nicht markiert.
blackbox-error-no-marks = Es gibt keine Markierungen zum Entfernen.
blackbox-error-guess-cells = Die Lösung sind die markierten Felder. Markiere sie zuerst, zum Beispiel mit { $before }markiere b2, danach { $before }rate.
blackbox-error-box-closed = Die Steine liegen schon und bleiben, wo sie sind. Jetzt kannst du fragen, markieren und die Lösung abgeben.
blackbox-error-still-hiding = Versteck zuerst deine Steine: { $before }verstecke a2 für jeden, danach { $before }fertig.
blackbox-error-not-all-hidden = In den Kasten gehören genau { $stones } Steine. Versteck erst die übrigen, dann wähl „{ blackbox-button-ready }“.
blackbox-error-not-determined = Ein Stein könnte auch woanders liegen, ohne dass sich eine Antwort ändert. Welcher, steht bei deinem eigenen Brett.
blackbox-error-all-hidden = Alle { $stones } Steine liegen im Kasten. Wähl „{ blackbox-button-ready }“, oder hol erst einen zurück.
blackbox-error-hidden-there = Dort liegt schon einer deiner Steine. Wähle ein anderes Feld.
blackbox-error-nothing-hidden = Dort liegt keiner deiner Steine. Wähle ein Feld mit einem.

blackbox-effect-guess =
    { $count ->
        [0] beendet die Suche ohne Markierung
        [one] beendet die Suche mit 1 Markierung
       *[other] beendet die Suche mit { $count } Markierungen
    }
blackbox-caution-too-few =
    { $count ->
        [0] Du hast noch nichts markiert
        [one] Du hast nur 1 Feld markiert
       *[other] Du hast nur { $count } Felder markiert
    }, es sind aber { $stones } Steine. Jeder fehlende kostet so viel wie ein falscher: mindestens { $points } Punkte. Trotzdem abgeben?
blackbox-caution-too-many =
    Du hast { $count } Felder markiert, es sind aber nur { $stones } Steine. { $wrong ->
        [one] Mindestens eine Markierung ist
       *[other] Mindestens { $wrong } Markierungen sind
    } falsch: { $points } Punkte oder mehr. Trotzdem abgeben?

blackbox-caution-contradiction =
    { $count ->
        [one] Eine Antwort widerspricht
       *[other] { $count } Antworten widersprechen
    } deinen Markierungen, sie können also nicht alle stimmen. Trotzdem abgeben?

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
        [one] 1 Markierung
       *[other] { $count } Markierungen
    }, { $stones } Steine
blackbox-fact-contradicted =
    { $missing ->
        [0] { $count ->
            [one] 1 Antwort widerspricht den Markierungen
           *[other] { $count } Antworten widersprechen den Markierungen
        }
       *[other] { $count ->
            [one] 1 Antwort passt noch nicht zu den Markierungen
           *[other] { $count } Antworten passen noch nicht zu den Markierungen
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
            [0] Wähl „{ blackbox-button-ready }“, oder hol einen Stein zurück
           *[other] Wähle ein Feld für den nächsten Stein
        }
    }
blackbox-fact-elsewhere = Alle Steine sind versteckt, aber keine Frage könnte { $stones } von { $cells } unterscheiden. Hol einen Stein zurück und versteck ihn woanders
blackbox-fact-undetermined = Keine Frage hätte { $stones } von { $cells } unterscheiden können
blackbox-fact-closed =
    { $seat ->
        [0] { $first } versteckt { $stones } Steine, und { $second } sucht sie
       *[1] { $second } versteckt { $stones } Steine, und { $first } sucht sie
    }{ $leg ->
        [1] ; danach tauschen beide
       *[other] { "" }
    }

# Nach der Lösung zeigt das Brett stattdessen die Steine.
blackbox-board-last =
    { $verb ->
        [guess] { "" }
        [ask] Letzter Strahl: { $what }
        [mark] Letzter Zug: { $what } markiert
        [unmark] Letzter Zug: Markierung auf { $what } entfernt
        [clear] Letzter Zug: alle Markierungen entfernt
        [hide] Letzter Zug: { $what } versteckt
        [unhide] Letzter Zug: Stein auf { $what } zurückgeholt
       *[other] Letzter Zug: { $move }
    }
blackbox-reason-guessed = Die Lösung ist abgegeben, der Kasten ist offen.
blackbox-reason-lower-cost = { $winner } gewinnt mit { $won } zu { $lost } Punkten (weniger ist besser).
blackbox-reason-equal-cost = Unentschieden: { $first } und { $second } haben je { $won } Punkte.

blackbox-ending-resigned-alone = Aufgegeben. Alle Steine zählen als nicht gefunden.
blackbox-ending-timeout-alone = Die Zeit ist abgelaufen. Alle Steine zählen als nicht gefunden.

# Warum ein Zug gut ist. Steht hinter den Tipps weiter unten.

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

# Was auf einem Feld liegt, für Screenreader.

blackbox-cell-hit = Treffer
blackbox-cell-accident = Unfall
blackbox-cell-through = kommt bei { $entry } heraus
blackbox-cell-marked = markiert
blackbox-cell-stone = dein Stein

# Das Bild in Worten, für Screenreader.

blackbox-alt-box = Black Box, { $size } mal { $size }, { $stones } Steine.
blackbox-alt-leg = Runde { $leg } von zwei.
blackbox-alt-hiding = Noch werden die Steine versteckt.
blackbox-alt-hidden =
    { $count ->
        [0] Du versteckst. Noch liegt kein Stein.
       *[other] Du versteckst. Steine bisher: { $cells }.
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
        [0] Keine Markierungen.
       *[other] Markierungen ({ $count }): { $cells }.
    }
blackbox-alt-contradicted = Antworten, die den Markierungen widersprechen ({ $count }): { $entries }.
blackbox-alt-stones = Steine: { $cells }. Richtig markiert: { $found }.
blackbox-alt-cost = Punkte: { $count }.
blackbox-alt-unasked =
    { $count ->
        [0] Alle Eingänge sind beantwortet.
       *[other] Noch zu fragen ({ $count }): { $entries }.
    }

# Antworten in Zuglisten. Die anderen sind Zahlen.
blackbox-answer-t = Treffer
blackbox-answer-u = Unfall

# Was im Bild steht.
blackbox-picture-start =
    Wähl eine Zahl am Rand und
    schick einen Strahl hinein.
blackbox-picture-hit = Treffer
blackbox-picture-accident = Unfall
blackbox-picture-through = kommt hier heraus
blackbox-picture-doubt = passt nicht
blackbox-picture-point = Punkt
blackbox-picture-points = Punkte
blackbox-picture-marks = markiert
blackbox-picture-found = gefunden
blackbox-picture-stones = Steine

# Knöpfe für Schritte, die im Bild keinen Platz haben.
blackbox-button-private = Verstecken
blackbox-button-guess = Abgeben
blackbox-button-clear = Entmarkieren
blackbox-button-ready = Fertig

# Namen des Befehls und Wörter der Schreibweise. Das erste wird gezeigt.
blackbox-command = blackbox box ordo
blackbox-word-ask = frage fragen frag strahl
blackbox-word-mark = markiere markieren merke setze
blackbox-word-unmark = entferne demarkiere lösche
blackbox-word-clear = leeren leere räumen entmarkieren
blackbox-word-guess = rate raten abgeben tippe tippen
blackbox-word-hide = verstecke verstecken
blackbox-word-unhide = hole holen zurück
blackbox-word-ready = fertig bereit
blackbox-word-top = oben o
blackbox-word-right = rechts
blackbox-word-bottom = unten u
blackbox-word-left = links

# Getippte Wörter für Optionen und ihre Auswahl. Das erste wird gezeigt. Zahlen brauchen keins.
blackbox-typed-mode = spieler
blackbox-typed-mode-solo = allein
blackbox-typed-mode-hide = verstecken
blackbox-typed-size = größe groesse
blackbox-typed-stones = steine
blackbox-typed-fair = fair
blackbox-typed-fair-yes = ja
blackbox-typed-fair-no = nein

# Tipps, vor dem Grund. $what ist ein Eingang oder ein Feld.

blackbox-hint-ask = Ich würde bei { $what } fragen
blackbox-hint-mark = Ich würde { $what } markieren
blackbox-hint-unmark = Ich würde die Markierung auf { $what } entfernen
blackbox-hint-clear = Ich würde alle Markierungen entfernen
blackbox-hint-guess = Ich würde jetzt die Lösung abgeben
blackbox-hint-hide = Ich würde auf { $what } einen Stein verstecken
blackbox-hint-unhide = Ich würde den Stein auf { $what } zurückholen
blackbox-hint-ready = Ich würde es so lassen

# Mehr zu einem Tipp: wie es steht, was die Frage übrig lässt, was es kostet. $count und $left sind
# Anordnungen. Große Zahlen sind gerundet.

blackbox-advice-possible =
    { $count ->
        [one] Nur eine Anordnung ist noch möglich.
       *[other] { $count } Anordnungen sind noch möglich.
    }
blackbox-advice-possible-many = Etwa { NUMBER($count, useGrouping: "true") } Anordnungen sind noch möglich.
blackbox-advice-possible-sampled = Nach einer Stichprobe sind noch etwa { NUMBER($count, useGrouping: "true") } Anordnungen möglich.
blackbox-advice-best =
    { $counted ->
        [exactly] { $count } Anordnungen sind jetzt möglich.
        [sampled] Nach einer Stichprobe sind jetzt etwa { NUMBER($count, useGrouping: "true") } Anordnungen möglich.
       *[roughly] Etwa { NUMBER($count, useGrouping: "true") } Anordnungen sind jetzt möglich.
    } Nach { $entry } { $left ->
        [one] sollte nur noch eine
       *[other] sollten noch etwa { NUMBER($left, useGrouping: "true") }
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

# Die Analyse einer Suche.

blackbox-course-whose =
    Suche von { $seat ->
        [0] { $first }
       *[1] { $second }
    }:
blackbox-course-step =
    { $entry } → { $answer ->
        [T] Treffer
        [U] Unfall
       *[other] { $answer }
    }: { $left ->
        [one] noch eine Anordnung.
       *[other] noch { $left } Anordnungen.
    }
blackbox-course-step-many =
    { $entry } → { $answer ->
        [T] Treffer
        [U] Unfall
       *[other] { $answer }
    }: noch etwa { NUMBER($left, useGrouping: "true") } Anordnungen.
blackbox-course-step-unknown =
    { $entry } → { $answer ->
        [T] Treffer
        [U] Unfall
       *[other] { $answer }
    }
blackbox-course-avoidable = { $entry } war die erste Frage, die nichts Neues verriet.
blackbox-course-contradicted = Schon die Antwort bei { $entry } sprach gegen die Lösung.
blackbox-course-refuting = { $entry } hätte gezeigt, dass die Lösung falsch war.
blackbox-course-best =
    { $points ->
        [one] Die Suche hat { $cost } Punkte gekostet. Einer hätte gereicht: { $entries }.
       *[other] Die Suche hat { $cost } Punkte gekostet. { $points } hätten gereicht, weniger nicht: { $entries }.
    }
blackbox-course-best-reached =
    { $cost ->
        [one] Die Suche hat einen Punkt gekostet. Weniger hätte nicht gereicht, um sicher zu sein.
       *[other] Die Suche hat { $cost } Punkte gekostet. Weniger hätte nicht gereicht, um sicher zu sein.
    }
blackbox-course-cost =
    { $cost ->
        [one] Die Suche hat einen Punkt gekostet.
       *[other] Die Suche hat { $cost } Punkte gekostet.
    }
