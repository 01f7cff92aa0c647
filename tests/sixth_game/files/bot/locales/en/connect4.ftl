# Connect Four.

connect4-name = Connect Four
connect4-command = connect4 fourinarow
connect4-about = Drop discs into seven columns. Four in a row win. For two players.
connect4-usage = Type a column: { $before }d. Its number works too: { $before }4.
connect4-rules =
    Goal: be the first to have four of your own discs in a row.

    Setup: the board has seven columns and six rows. It starts empty. White moves first.

    Your turn: drop one of your discs into a column. It falls onto the discs already there.

    End: four in a row win, whether across, up or diagonal. If all 42 cells are full and there is no such row, the game is a draw.

    Columns are named a to g from the left.

    Tip: more lines run through the middle than along the edge.

connect4-seat-0 = White
connect4-seat-1 = Black
connect4-mark-0 = ⚪
connect4-mark-1 = ⚫

connect4-error-full = Column { $column } is full. Choose another one.

connect4-effect-wins = makes four in a row

connect4-fact-discs = { $count } of { $total } discs

connect4-reason-four = { $winner } wins with four in a row.
connect4-reason-full = Draw: all columns are full.

connect4-alt-turn =
    { $seat ->
        [0] Connect Four, White to move.
       *[1] Connect Four, Black to move.
    }
connect4-alt-won =
    { $seat ->
        [0] Connect Four, White won with four in a row.
       *[1] Connect Four, Black won with four in a row.
    }
connect4-alt-draw = Connect Four, draw.
connect4-alt-last =
    { $seat ->
        [0] Last move: White into { $column }.
       *[1] Last move: Black into { $column }.
    }
connect4-alt-letter-0 = W
connect4-alt-letter-1 = B
connect4-alt-discs =
    { $count ->
        [0] The board is empty.
       *[other] Discs from bottom to top, W white, B black: { $columns }.
    }
connect4-alt-moves = Columns with room: { $moves }.
