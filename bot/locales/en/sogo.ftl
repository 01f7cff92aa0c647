sogo-name = Sogo
sogo-about = Four in a row in space: stones on upright rods, a full line wins.
sogo-usage = Name a rod: { $before }b3. Its number works too: { $before }5. With a capture: { $before }b3xc2.
sogo-rules =
    You take turns putting one of your stones on a rod; it drops onto the stones that are there. White begins.

    Whoever first has a full line of their own stones wins. A line may run any way: up a rod, along a level, diagonally in a level, slanting upwards, or through space from corner to corner. On the 4×4×4 board there are 76 of them. If the board is full and nobody has a line, it is a draw.

    Whoever runs out of time loses, if they have moved already; else the match counts for nobody. It is a draw if the other side has no line left that it could fill, or could not take more stones any more.

    Rods have a letter and a number, as in chess, seen from White's side: a1 is near left. The small squares show the levels one by one, 1 is the lowest.

    Watch out: a gap in a line that cannot be reached yet is called a hole. The cell right under it is forbidden to the other side, because a stone there would let the line be completed on top of it.

    Capture variant: completing a line does not win. Instead you must take one of the other side's stones: always the topmost of a rod, and none of a full line unless there is no other. Two lines at once take one stone; where nothing can be taken, nothing is. Stones taken stay out. When all stones have been placed, whoever has taken more wins.

sogo-seat-0 = White
sogo-seat-1 = Black
sogo-mark-0 = ⚪
sogo-mark-1 = ⚫

sogo-option-size = Size
sogo-option-size-3 = 3×3×3
sogo-option-size-4 = 4×4×4
sogo-option-size-5 = 5×5×5
sogo-option-variant = Variant
sogo-option-variant-line = The first line wins
sogo-option-variant-capture = Lines take stones, most captures win

sogo-form-chess = b3
sogo-form-hex = hexadecimal

sogo-error-full = Rod { $rod } is full.
sogo-error-capture-due = That completes a line, so you take a stone: { $stones }. Write for example { $example }.
sogo-error-no-capture-due = There is nothing to take with a stone on { $rod }: just name the rod.
sogo-error-cannot-take =
    { $why ->
        [line] { $stone } cannot be taken: it stands in a full line.
        [own] { $stone } cannot be taken: your own stone is on top there.
        [covered] { $stone } cannot be taken: there is another stone on top of it.
       *[empty] { $stone } cannot be taken: there is no stone.
    } You can take { $stones }.
sogo-error-wrong-height = A stone on { $rod } would come to lie at height { $due }, not { $height }.

sogo-prompt-take =
    { $seat ->
        [0] You closed a line: take one of White's stones from the top of a rod.
       *[1] You closed a line: take one of Black's stones from the top of a rod.
    }

sogo-effect-wins =
    { $lines ->
        [one] completes a line and wins
       *[other] completes { $lines } lines and wins
    }
sogo-effect-takes =
    { $lines ->
        [one] completes a line and takes { $stone }
       *[other] completes { $lines } lines and takes { $stone }
    }
sogo-effect-closes =
    { $lines ->
        [one] completes a line
       *[other] completes { $lines } lines
    }
sogo-effect-blocks =
    { $lines ->
        [one] blocks a line
       *[other] blocks { $lines } lines
    }

# Why a move is good, in a few words.

sogo-because-completes =
    { $lines ->
        [one] completes a line
       *[other] completes { $lines } lines at once
    }
sogo-because-takes =
    { $lines ->
        [one] completes a line and takes { $stone }
       *[other] completes { $lines } lines and takes { $stone }
    }
sogo-because-blocks =
    { $lines ->
        [one] keeps the other side from completing a line
       *[other] keeps the other side from completing { $lines } lines
    }
sogo-because-only = there is no other rod
sogo-because-forces = wins by force, with a line after at most { $stones } more of your stones
sogo-because-forks = threatens two lines, and only one of them can be stopped
sogo-because-leaves-none = now every rod is dangerous for the other side
sogo-because-threatens = threatens to complete a line on { $cell }
sogo-because-digs = only { $cell } is missing for a line now, so the other side must not play right under it
sogo-because-lurks = a line now lacks only { $cell }, which can be played as soon as the rod has grown that high
sogo-because-lets-none =
    { $count ->
        [one] lets the other side complete no line, unlike another move
       *[other] lets the other side complete no line, unlike { $count } other moves
    }
sogo-because-spoils =
    { $lines ->
        [one] spoils a promising line of the other side
       *[other] spoils { $lines } promising lines of the other side
    }
sogo-because-builds =
    { $lines ->
        [one] adds to one of your lines
       *[other] adds to { $lines } of your lines
    }
sogo-because-opens =
    { $lines ->
        [one] begins a line that is still empty
       *[other] begins { $lines } lines that are still empty
    }
sogo-because-hinders =
    { $lines ->
        [one] gets in the way of one of the other side’s lines
       *[other] gets in the way of { $lines } of the other side’s lines
    }
sogo-because-waits = waits, since every line there is blocked already

sogo-fact-stones = { $placed } of { $total } stones placed
sogo-fact-captures = Captured: { $first } ({ $white }), { $second } ({ $black })
sogo-fact-took =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } completed a line and took { $stone }
sogo-fact-nothing-to-take =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } completed a line, but there was nothing to take

sogo-reason-line = { $winner } has completed a line and wins.
sogo-reason-full = The board is full and nobody has a line: a draw.
sogo-reason-captures = { $winner } wins with { $won } to { $lost } captured stones.
sogo-reason-equal = A draw: all stones are placed, and { $first } and { $second } have captured { $won } each.

# What lies on a cell, for those who listen.

sogo-cell-stones =
    { $whites ->
        [0] black on level { $black }
       *[other] { $blacks ->
            [0] white on level { $white }
           *[other] white on level { $white }, black on level { $black }
        }
    }

sogo-alt-board = Sogo, { $size } by { $size } rods for { $size } stones each.
sogo-alt-turn =
    { $seat ->
        [0] White to move.
       *[1] Black to move.
    }
sogo-alt-over-line =
    { $seat ->
        [0] White has won with the line { $line }.
       *[1] Black has won with the line { $line }.
    }
sogo-alt-over-full = A draw: the board is full.
sogo-alt-over-captures =
    { $seat ->
        [0] White has won by captures.
       *[1] Black has won by captures.
    }
sogo-alt-over-equal = A draw: all stones are placed.
sogo-alt-last =
    { $seat ->
        [0] Last move: White on { $cell }.
       *[1] Last move: Black on { $cell }.
    }
sogo-alt-closed = It completed a line: { $line }.
sogo-alt-took = It took the stone { $stone }.
sogo-alt-captures = Stones taken: by White { $white }, by Black { $black }.
sogo-alt-letter-0 = W
sogo-alt-letter-1 = B
sogo-alt-stones = Stones from bottom to top, W white, B black: { $rods }.
sogo-alt-empty = No stone on the board yet.
sogo-alt-legal = Rods with room: { $rods }.
sogo-alt-capture = To complete a line and take one of { $stones }: { $rods }.

# Names of the command: the first is shown.
sogo-command = sogo scorefour score4

# Words for options and their choices: the first is shown. Numbers need none.
sogo-typed-size = size
sogo-typed-variant = variant
sogo-typed-variant-line = line
sogo-typed-variant-capture = capture
