# Sogo.

sogo-name = Sogo
sogo-about = Vier in einer Reihe im Raum. Steck Steine auf Stäbe und füll eine Reihe. Zu zweit.
sogo-usage = Nenne einen Stab: { $before }b3. Seine Nummer geht auch: { $before }5. Beim Schlagen: { $before }b3xc2.
sogo-rules =
    Ziel: als Erster eine volle Reihe eigener Steine haben.

    Aufbau: Das Brett hat meist 4×4 Stäbe, auf jeden passen vier Steine. Weiß beginnt.

    Zug: Steck einen eigenen Stein auf einen Stab mit Platz. Er fällt auf die Steine, die schon dort sind.

    Reihen gehen über das ganze Brett: einen Stab hinauf, gerade oder diagonal in einer Ebene, schräg nach oben oder quer durch den Raum von Ecke zu Ecke. Auf dem Brett 4×4×4 gibt es 76, zu je vier Steinen.

    Ende: Die erste Reihe gewinnt. Ist das Brett voll und niemand hat eine Reihe, ist es unentschieden.

    Zeit: Läuft deine Uhr ab, verlierst du. Kann dein Gegner nicht mehr gewinnen, ist es unentschieden. Hast du noch nicht gezogen, wird die Partie abgebrochen (ohne Wertung).

    Stäbe heißen wie Schachfelder, von Weiß aus gesehen: a1 ist vorne links. Die kleinen Quadrate im Bild zeigen die Ebenen einzeln, 1 ist die unterste. In einer Zeile: Der erste ist unten.

    Tipp: Die letzte Lücke einer Reihe, die noch nicht zu erreichen ist, heißt Loch. Das Feld direkt darunter ist für den Gegner tabu, denn sonst schließt du darüber die Reihe.

    Variante Schlagen: Wer eine Reihe schließt, gewinnt nicht, sondern muss einen Stein des Gegners oben von einem Stab schlagen. Steine in einer vollen Reihe sind sicher, solange es einen anderen gibt. Zwei Reihen auf einmal schlagen nur einen Stein. Gibt es nichts zu schlagen, geht es weiter. Geschlagene Steine bleiben draußen. Sind alle Steine gesetzt, gewinnt, wer mehr geschlagen hat. Gleich viele: unentschieden.

sogo-seat-0 = Weiß
sogo-seat-1 = Schwarz
sogo-mark-0 = ⚪
sogo-mark-1 = ⚫

sogo-option-size = Größe
sogo-option-size-3 = 3×3×3
sogo-option-size-4 = 4×4×4
sogo-option-size-5 = 5×5×5
sogo-option-variant = Variante
sogo-option-variant-line = Die erste Reihe gewinnt
sogo-option-variant-capture = Reihen schlagen Steine, die meisten gewinnen

sogo-form-chess = b3
sogo-form-hex = hexadezimal

sogo-error-full = Stab { $rod } ist voll. Wähle einen anderen.
sogo-error-capture-due = Damit schließt du eine Reihe. Nenne dazu den Stein, den du schlägst, zum Beispiel { $example }. Du kannst { $stones } schlagen.
sogo-error-no-capture-due = Ein Stein auf { $rod } schlägt nichts. Nenne nur den Stab: { $rod }
sogo-error-cannot-take =
    { $why ->
        [line] { $stone } kannst du nicht schlagen: Der Stein gehört zu einer vollen Reihe.
        [own] { $stone } kannst du nicht schlagen: Dort liegt dein eigener Stein oben.
        [covered] { $stone } kannst du nicht schlagen: Es liegt noch ein Stein darauf.
       *[empty] { $stone } kannst du nicht schlagen: Dort ist kein Stein.
    } Du kannst { $stones } schlagen.
sogo-error-wrong-height = Ein Stein auf { $rod } fällt auf Ebene { $due }, nicht auf { $height }. Nenne nur den Stab.

sogo-prompt-take =
    { $seat ->
        [0] { $rod } schließt eine Reihe. Schlag einen weißen Stein, der oben auf einem Stab liegt.
       *[1] { $rod } schließt eine Reihe. Schlag einen schwarzen Stein, der oben auf einem Stab liegt.
    }

sogo-effect-wins =
    { $lines ->
        [one] schließt eine Reihe und gewinnt
       *[other] schließt { $lines } Reihen und gewinnt
    }
sogo-effect-takes =
    { $lines ->
        [one] schließt eine Reihe und schlägt { $stone }
       *[other] schließt { $lines } Reihen und schlägt { $stone }
    }
sogo-effect-closes =
    { $lines ->
        [one] schließt eine Reihe
       *[other] schließt { $lines } Reihen
    }
sogo-effect-blocks =
    { $lines ->
        [one] verhindert eine Reihe
       *[other] verhindert { $lines } Reihen
    }

# Warum ein Zug gut ist. Jeder Text ist ein Satz hinter dem Doppelpunkt eines Tipps.

sogo-because-completes =
    { $lines ->
        [one] Damit schließt du eine Reihe
       *[other] Damit schließt du { $lines } Reihen auf einmal
    }
sogo-because-takes =
    { $lines ->
        [one] Damit schließt du eine Reihe und schlägst { $stone }
       *[other] Damit schließt du { $lines } Reihen und schlägst { $stone }
    }
sogo-because-blocks =
    { $lines ->
        [one] Damit verhinderst du eine Reihe des Gegners
       *[other] Damit verhinderst du { $lines } Reihen des Gegners
    }
sogo-because-only = Kein anderer Stab hat noch Platz
sogo-because-forces =
    { $stones ->
        [one] Damit gewinnst du zwingend, mit nur noch einem weiteren Stein
       *[other] Damit gewinnst du zwingend, mit höchstens { $stones } weiteren Steinen
    }
sogo-because-forks = Damit drohst du mit zwei Reihen, und nur eine davon lässt sich verhindern
sogo-because-leaves-none = Danach ist für den Gegner jeder Stab gefährlich
sogo-because-threatens = Damit drohst du mit einer Reihe auf { $cell }
sogo-because-digs = Damit machst du ein Loch auf { $cell }, also darf der Gegner nicht direkt darunter setzen
sogo-because-lurks = Danach fehlt nur noch { $cell } zu einer Reihe, sobald der Stab so hoch gewachsen ist
sogo-because-lets-none =
    { $count ->
        [one] Damit lässt du dem Gegner keine Reihe, anders als mit einem anderen Zug
       *[other] Damit lässt du dem Gegner keine Reihe, anders als mit { $count } anderen Zügen
    }
sogo-because-spoils =
    { $lines ->
        [one] Damit verdirbst du dem Gegner eine aussichtsreiche Reihe
       *[other] Damit verdirbst du dem Gegner { $lines } aussichtsreiche Reihen
    }
sogo-because-builds =
    { $lines ->
        [one] Damit setzt du eine deiner Reihen fort
       *[other] Damit setzt du { $lines } deiner Reihen fort
    }
sogo-because-opens =
    { $lines ->
        [one] Damit beginnst du eine Reihe, die noch leer ist
       *[other] Damit beginnst du { $lines } Reihen, die noch leer sind
    }
sogo-because-hinders =
    { $lines ->
        [one] Damit stehst du einer Reihe des Gegners im Weg
       *[other] Damit stehst du { $lines } Reihen des Gegners im Weg
    }
sogo-because-waits = Damit wartest du ab, denn dort ist schon jede Reihe verbaut

sogo-fact-stones = { $placed } von { $total } Steinen gesetzt
sogo-fact-captures = Geschlagen haben: { $first } { $white }, { $second } { $black }
sogo-fact-took =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } hat eine Reihe geschlossen und { $stone } geschlagen
sogo-fact-nothing-to-take =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } hat eine Reihe geschlossen, aber es gab nichts zu schlagen

sogo-reason-line = { $winner } hat eine Reihe geschlossen und gewinnt.
sogo-reason-full = Unentschieden: Das Brett ist voll, und niemand hat eine Reihe.
sogo-reason-captures = { $winner } gewinnt mit { $won } zu { $lost } geschlagenen Steinen.
sogo-reason-equal = Unentschieden: Alle Steine sind gesetzt, und { $first } und { $second } haben je { $won } geschlagen.

# Was auf einem Stab steckt, für Screenreader.

sogo-cell-stones =
    { $whites ->
        [0] schwarz auf Ebene { $black }
       *[other] { $blacks ->
            [0] weiß auf Ebene { $white }
           *[other] weiß auf Ebene { $white }, schwarz auf Ebene { $black }
        }
    }

# Das Bild in Worten, für Screenreader.

sogo-alt-board = Sogo, { $size } mal { $size } Stäbe für je { $size } Steine.
sogo-alt-turn =
    { $seat ->
        [0] Weiß ist am Zug.
       *[1] Schwarz ist am Zug.
    }
sogo-alt-over-line =
    { $seat ->
        [0] Weiß hat mit der Reihe { $line } gewonnen.
       *[1] Schwarz hat mit der Reihe { $line } gewonnen.
    }
sogo-alt-over-full = Unentschieden: Das Brett ist voll.
sogo-alt-over-captures =
    { $seat ->
        [0] Weiß hat mehr geschlagen und gewonnen.
       *[1] Schwarz hat mehr geschlagen und gewonnen.
    }
sogo-alt-over-equal = Unentschieden: Alle Steine sind gesetzt.
sogo-alt-last =
    { $seat ->
        [0] Letzter Zug: Weiß auf { $cell }.
       *[1] Letzter Zug: Schwarz auf { $cell }.
    }
sogo-alt-closed = Er hat eine Reihe geschlossen: { $line }.
sogo-alt-took = Er hat den Stein { $stone } geschlagen.
sogo-alt-captures = Geschlagene Steine: von Weiß { $white }, von Schwarz { $black }.
sogo-alt-letter-0 = W
sogo-alt-letter-1 = S
sogo-alt-stones = Steine von unten nach oben, W weiß, S schwarz: { $rods }.
sogo-alt-empty = Das Brett ist leer.
sogo-alt-legal = Stäbe mit Platz: { $rods }.
sogo-alt-capture = Stäbe, die eine Reihe schließen: { $rods }. Steine zum Schlagen dort: { $stones }.

# Namen des Befehls. Der erste wird gezeigt.
sogo-command = sogo raummühle raummuehle

# Getippte Wörter für Optionen und ihre Auswahl. Das erste wird gezeigt. Zahlen brauchen keins.
sogo-typed-size = größe groesse
sogo-typed-variant = variante
sogo-typed-variant-line = reihe
sogo-typed-variant-capture = schlagen
