# Sogo.

sogo-name = Sogo
sogo-about = Four in a row in 3D. Drop stones on upright rods and complete a line. For two players.
sogo-usage = Type a rod: { $before }b3. Its number works too: { $before }5. With a capture: { $before }b3xc2.
sogo-rules =
    Goal: be the first to complete a line of your own stones.

    Setup: the board usually has 4×4 rods that hold four stones each. White moves first.

    Your turn: put one of your stones on a rod with room. It drops onto the stones already there.

    Lines: a line spans the whole board. It may run up a rod, straight or diagonally along a level, slanting upwards, or from corner to corner through space. The 4×4×4 board has 76 lines of four stones.

    End: the first line wins. If the board is full and there is no line, the game is a draw.

    Time: if your clock runs out, you lose. It is a draw if your opponent can no longer win. If you have not moved yet, the game is aborted instead.

    Rods are named by letter and number like chess squares, as White sees the board: a1 is near left. The small squares in the picture show the levels one by one. Level 1 is the lowest. Where the stones of a rod are in a row, the first is the lowest.

    Tip: a hole is the last gap in a line that cannot be reached yet. Your opponent cannot afford to play right below it, because you would then complete the line.

    Capture variant: completing a line does not win. Instead, you must take one of your opponent's stones from the top of a rod. Stones in a complete line are safe as long as there is another stone to take. Two lines at once take only one stone. If nothing can be taken, the game goes on. Taken stones stay out. The game ends when all stones are placed. The player with more captures wins. Equal numbers are a draw.

sogo-seat-0 = White
sogo-seat-1 = Black
sogo-mark-0 = ⚪
sogo-mark-1 = ⚫

sogo-option-size = Size
sogo-option-size-3 = 3×3×3
sogo-option-size-4 = 4×4×4
sogo-option-size-5 = 5×5×5
sogo-option-variant = Variant
sogo-option-variant-line = First line wins
sogo-option-variant-capture = Lines take stones, most captures win

sogo-form-chess = b3
sogo-form-hex = hexadecimal

sogo-error-full = Rod { $rod } is full. Choose another one.
sogo-error-capture-due = That completes a line. Add the stone to take, for example { $example }. You can take { $stones }.
sogo-error-no-capture-due = A stone on { $rod } takes nothing. Type the rod only: { $rod }
sogo-error-cannot-take =
    { $why ->
        [line] The stone on { $stone } is safe in a complete line.
        [own] The top stone on { $stone } is your own.
        [covered] There is another stone on top of { $stone }.
       *[empty] There is no stone on { $stone }.
    } You can take { $stones }.
sogo-error-wrong-height = A stone on { $rod } drops to level { $due }, not { $height }. Type the rod only.

sogo-prompt-take =
    { $seat ->
        [0] { $rod } completes a line. Take one of White's stones from the top of a rod.
       *[1] { $rod } completes a line. Take one of Black's stones from the top of a rod.
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

# Why a move is good. Each text is a sentence after the colon of a hint.

sogo-because-completes =
    { $lines ->
        [one] it completes a line
       *[other] it completes { $lines } lines at once
    }
sogo-because-takes =
    { $lines ->
        [one] it completes a line and takes { $stone }
       *[other] it completes { $lines } lines and takes { $stone }
    }
sogo-because-blocks =
    { $lines ->
        [one] it stops your opponent from completing a line
       *[other] it stops your opponent from completing { $lines } lines
    }
sogo-because-only = it is the only rod with room
sogo-because-forces =
    { $stones ->
        [one] it wins by force with one more of your stones
       *[other] it wins by force with at most { $stones } more of your stones
    }
sogo-because-forks = it threatens two lines, and only one of them can be blocked
sogo-because-leaves-none = it leaves your opponent only dangerous rods
sogo-because-threatens = it threatens to complete a line on { $cell }
sogo-because-digs = it makes a hole on { $cell }, so your opponent must not play right below it
sogo-because-lurks = it leaves only { $cell } missing for a line, to be filled when the rod gets that high
sogo-because-lets-none =
    { $count ->
        [one] it lets your opponent complete no line, unlike another move
       *[other] it lets your opponent complete no line, unlike { $count } other moves
    }
sogo-because-spoils =
    { $lines ->
        [one] it blocks one of your opponent's promising lines
       *[other] it blocks { $lines } of your opponent's promising lines
    }
sogo-because-builds =
    { $lines ->
        [one] it adds to one of your lines
       *[other] it adds to { $lines } of your lines
    }
sogo-because-opens =
    { $lines ->
        [one] it starts a line that is still empty
       *[other] it starts { $lines } lines that are still empty
    }
sogo-because-hinders =
    { $lines ->
        [one] it gets in the way of one of your opponent's lines
       *[other] it gets in the way of { $lines } of your opponent's lines
    }
sogo-because-waits = it is a waiting move, as every line there is already blocked

sogo-fact-stones = { $placed } of { $total } stones placed
sogo-fact-captures = Captures: { $first } { $white }, { $second } { $black }
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

sogo-reason-line = { $winner } completed a line and wins.
sogo-reason-full = Draw: the board is full and there is no line.
sogo-reason-captures = { $winner } wins, { $won } to { $lost } captures.
sogo-reason-equal = Draw: all stones are placed, and { $first } and { $second } have { $won } captures each.

# Cell labels for screen readers.

sogo-cell-stones =
    { $whites ->
        [0] black on level { $black }
       *[other] { $blacks ->
            [0] white on level { $white }
           *[other] white on level { $white }, black on level { $black }
        }
    }

# The picture in words, for screen readers.

sogo-alt-board = Sogo, { $size } by { $size } rods for { $size } stones each.
sogo-alt-turn =
    { $seat ->
        [0] White to move.
       *[1] Black to move.
    }
sogo-alt-over-line =
    { $seat ->
        [0] White won with the line { $line }.
       *[1] Black won with the line { $line }.
    }
sogo-alt-over-full = Draw: the board is full.
sogo-alt-over-captures =
    { $seat ->
        [0] White won with more captures.
       *[1] Black won with more captures.
    }
sogo-alt-over-equal = Draw: all stones are placed.
sogo-alt-last =
    { $seat ->
        [0] Last move: White on { $cell }.
       *[1] Last move: Black on { $cell }.
    }
sogo-alt-closed = It completed a line: { $line }.
sogo-alt-took = It took the stone { $stone }.
sogo-alt-captures = Captures: White { $white }, Black { $black }.
sogo-alt-letter-0 = W
sogo-alt-letter-1 = B
sogo-alt-stones = Stones from bottom to top, W white, B black: { $rods }.
sogo-alt-empty = The board is empty.
sogo-alt-legal = Rods with room: { $rods }.
sogo-alt-capture = Rods that complete a line: { $rods }. Stones to take there: { $stones }.

# Names of the command. The first one is shown.
sogo-command = sogo scorefour score4

# Words to type for options and choices. The first one is shown. Numbers need none.
sogo-typed-size = size
sogo-typed-variant = variant
sogo-typed-variant-line = line
sogo-typed-variant-capture = capture
