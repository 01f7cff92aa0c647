# Connect Four.

connect4-name = Connect Four
connect4-command = connect4 fourinarow
connect4-about = Drop discs into seven columns: four in a row win, for two.
connect4-usage = Name a column: { $before }d. Its number works too: { $before }4.
connect4-rules =
    White begins. You take turns dropping one of your discs into a column; it falls onto the discs that are there.

    Whoever first has four of their own discs in a row, beside each other, on top of each other or diagonally, wins. If all 42 cells are full and nobody has, it is a draw.

    Columns are named a to g from the left. The middle belongs to more lines than the edge.

connect4-seat-0 = White
connect4-seat-1 = Black
connect4-mark-0 = ⚪
connect4-mark-1 = ⚫

connect4-error-full = Column { $column } is full.

connect4-effect-wins = makes four in a row

connect4-fact-discs = { $count } of { $total } discs

connect4-reason-four = { $winner } wins with four in a row.
connect4-reason-full = All columns are full: a draw.

connect4-alt-turn =
    { $seat ->
        [0] Connect Four, White to move.
       *[1] Connect Four, Black to move.
    }
connect4-alt-won =
    { $seat ->
        [0] Connect Four, White has won with four in a row.
       *[1] Connect Four, Black has won with four in a row.
    }
connect4-alt-draw = Connect Four, drawn.
connect4-alt-last =
    { $seat ->
        [0] Last move: White into { $column }.
       *[1] Last move: Black into { $column }.
    }
connect4-alt-letter-0 = W
connect4-alt-letter-1 = B
connect4-alt-discs =
    { $count ->
        [0] No disc has fallen yet.
       *[other] Discs from bottom to top, W white, B black: { $columns }.
    }
connect4-alt-moves = Columns with room: { $moves }.
