# Nine Men's Morris.

morris-name = Nine Men's Morris
morris-about = Place, slide and jump. Make three in a row to take a stone. For two players.
morris-usage = { $before }d6 places a stone, { $before }d6-d7 moves it, { $before }d6-d7xg4 also takes g4.
morris-rules =
    Goal: close mills to take your opponent's stones. You win when your opponent has fewer than three stones or cannot move.

    Setup: the board starts empty. Each player has nine stones. White moves first.

    Placing: the players take turns placing a stone on a free point (d6).

    Moving: once all your stones are placed, slide one along a line to the next free point (d6-d7). With only three stones left, you may jump to any free point.

    Mills: three of your stones next to each other on a line form a mill. When you close a mill, you must take one of your opponent's stones (d6xg4 or d6-d7xg4). This holds in every phase. A stone in a mill is safe as long as there is another stone to take. Closing two mills at once still takes only one stone. You may open a mill and close it again to take another stone.

    Draw: the game is a draw after 20 moves in a row without a mill. Both players' moves count, from the time all stones are placed. It is also a draw when the same position with the same player to move occurs for the third time.

    Time: if your clock runs out, you lose. If you have not moved yet, the game is aborted instead.

    Points are named by column and row, as White sees the board: a to g from left to right, 1 to 7 from bottom to top.

    Options: the draw can come after 50 or 100 moves, and stones in mills can be safe in every case.

morris-seat-0 = White
morris-seat-1 = Black
morris-mark-0 = ⚪
morris-mark-1 = ⚫

morris-option-draw_after = Draw after moves without a mill
morris-option-draw_after-20 = 20
morris-option-draw_after-50 = 50
morris-option-draw_after-100 = 100
morris-option-capture_from_mills = Taking stones from mills
morris-option-capture_from_mills-if_no_other = If there is no other stone
morris-option-capture_from_mills-never = Never

morris-error-occupied =
    { $seat ->
        [0] There is already a white stone on { $square }. Choose a free point.
       *[1] There is already a black stone on { $square }. Choose a free point.
    }
morris-error-all-placed = All your stones are placed. Type both points of your move, for example d6-d7.
morris-error-still-placing =
    { $count ->
        [one] You still have 1 stone to place. Type a free point.
       *[other] You still have { $count } stones to place. Type a free point.
    }
morris-error-empty = There is no stone on { $square }. Choose one of your stones.
morris-error-not-your-stone = The stone on { $square } is your opponent's. Choose one of your own.
morris-error-not-adjacent = { $to } is not next to { $from }. You may jump only with three stones, and you have { $count }.
morris-error-capture-due = This closes a mill. Add the stone to take, for example { $example }. You can take { $stones }.
morris-error-name-the-mill = You can take { $square } only by closing a mill. Type both together, for example { $example }.
morris-error-no-capture-due = This does not close a mill, so it takes nothing. Type the move only: { $example }
morris-error-not-opponents = Your opponent has no stone on { $square }. Choose another stone to take.
morris-error-in-a-mill = The stone on { $square } is safe in a mill. You can take { $stones }.
morris-error-nothing-to-take = All your opponent's stones are safe in mills, so this mill takes nothing. Type the move only: { $example }

morris-prompt-target = Where should the stone on { $square } go?
morris-prompt-take =
    { $seat ->
        [0] { $square } closes a mill. Take one of White's stones.
       *[1] { $square } closes a mill. Take one of Black's stones.
    }

morris-effect-takes = closes a mill, takes { $square }
morris-effect-mill = closes a mill

morris-fact-placing = Stones to place: { $first } { $white }, { $second } { $black }
morris-fact-sliding = All stones are placed
morris-fact-jumping =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } may jump
morris-fact-both-jump = Both players may jump
morris-fact-taken = Captures: { $first } { $white }, { $second } { $black }
morris-fact-draw-near =
    { $count ->
        [one] Draw after 1 more move without a mill
       *[other] Draw after { $count } more moves without a mill, counting both players
    }
morris-fact-second-time = This position has occurred twice: the third time is a draw

morris-reason-few-stones = { $winner } wins: { $loser } has only two stones left.
morris-reason-no-move = { $winner } wins: { $loser } cannot move.
morris-reason-no-mill = Draw: { $draw_after } moves in a row without a mill.
morris-reason-repetition = Draw by threefold repetition.

# Cell labels for screen readers.

morris-cell-stone =
    { $seat ->
        [0] white
       *[1] black
    }

# The picture in words, for screen readers.

morris-alt-turn =
    { $seat ->
        [0] Nine Men's Morris, White to move.
       *[1] Nine Men's Morris, Black to move.
    }
morris-alt-over-repetition = Nine Men's Morris, draw by threefold repetition.
morris-alt-over-no-mill = Nine Men's Morris, draw: too many moves in a row without a mill.
morris-alt-over-few-stones =
    { $seat ->
        [0] Nine Men's Morris, White won: Black has only two stones left.
       *[1] Nine Men's Morris, Black won: White has only two stones left.
    }
morris-alt-over-no-move =
    { $seat ->
        [0] Nine Men's Morris, White won: Black cannot move.
       *[1] Nine Men's Morris, Black won: White cannot move.
    }
morris-alt-last =
    { $seat ->
        [0] White played { $move }.
       *[1] Black played { $move }.
    }
morris-alt-last-mill =
    { $seat ->
        [0] White played { $move } and closed { $mills ->
            [one] a mill
           *[other] two mills
        }, but no stone could be taken.
       *[1] Black played { $move } and closed { $mills ->
            [one] a mill
           *[other] two mills
        }, but no stone could be taken.
    }
morris-alt-last-takes =
    { $seat ->
        [0] White played { $move }, closed { $mills ->
            [one] a mill
           *[other] two mills
        } and took the stone on { $square }.
       *[1] Black played { $move }, closed { $mills ->
            [one] a mill
           *[other] two mills
        } and took the stone on { $square }.
    }
morris-alt-stones =
    { $seat ->
        [0] White: { $stones }; { $hand } in hand, { $lost } lost.
       *[1] Black: { $stones }; { $hand } in hand, { $lost } lost.
    }
morris-alt-no-stones = no stones on the board
morris-alt-place = Points to place a stone: { $points }.
morris-alt-slide = Legal moves: { $moves }.
morris-alt-jump = The stones on { $stones } may jump to { $points }.
morris-alt-mills = Moves that close a mill: { $moves }. Stones to take: { $stones }.
morris-alt-mills-empty = Moves that close a mill: { $moves }. No stone can be taken.

# Words in the picture.
morris-picture-hand = to place
morris-picture-taken = taken

# Names of the command. The first one is shown.
morris-command = morris mill

# Words to type for options and choices. The first one is shown. Numbers need none.
morris-typed-draw_after = draw
morris-typed-capture_from_mills = mills
morris-typed-capture_from_mills-if_no_other = last
morris-typed-capture_from_mills-never = never

# Why a move is good. Each text is a sentence after the colon of a hint.

morris-because-last-three = it wins, as your opponent has only two stones left
morris-because-shuts-in = it wins, as your opponent cannot move
morris-because-draws = it ends the game in a draw
morris-because-only = it is your only legal move
morris-because-mill = it closes a mill
morris-because-mill-takes = it closes a mill and takes { $square }
morris-because-two-mills = it closes two mills at once and takes { $square }
morris-because-double-mill = it closes one mill while opening another, and takes { $square }
morris-because-mill-and-threat = it closes a mill and takes { $square }, which threatened to close one
morris-because-mill-and-free = it closes a mill, takes { $square } and frees { $freed }
morris-because-blocks = it blocks a mill on { $square }
morris-because-blocks-one = it blocks a mill on { $square }, but not the one on { $other }
morris-because-blocks-two = it blocks two mills at once on { $square }
morris-because-two-threats = it threatens two mills at once
morris-because-threatens = it threatens a mill on { $square }
morris-because-opens = it opens a mill that you can close again on { $square }
morris-because-hems-in =
    { $count ->
        [one] it leaves your opponent only one move
       *[other] it leaves your opponent only { $count } moves
    }
morris-because-crossing = it takes a crossing with four neighbours
morris-because-room = it gives your stones more room
morris-because-lets-none =
    { $count ->
        [one] it lets your opponent close no mill, unlike another move
       *[other] it lets your opponent close no mill, unlike { $count } other moves
    }
morris-because-no-better = every move lets your opponent close a mill, here on { $square }
morris-because-races = it lets your opponent close a mill, but threatens one of yours on { $square }
morris-because-prepares = it puts two stones on a line, with only { $square } missing for a mill
morris-because-cramps =
    { $count ->
        [0] it leaves your opponent's stones no way to slide
        [one] it leaves your opponent's stones less room, just one way to slide
       *[other] it leaves your opponent's stones less room, { $count } ways to slide
    }
morris-because-keeps-mill = it waits and keeps your mill closed
morris-because-most-room =
    { $count ->
        [one] it leaves your stones one way to slide, and no move leaves more
       *[other] it leaves your stones { $count } ways to slide, and no move leaves more
    }
morris-because-least-room =
    { $count ->
        [0] it leaves your opponent's stones no way to slide
        [one] it leaves your opponent's stones one way to slide, and no move leaves fewer
       *[other] it leaves your opponent's stones { $count } ways to slide, and no move leaves fewer
    }
morris-because-searched = it is the best move I found, looking ahead
morris-because-balance = it leaves your stones { $count ->
        [one] one way
       *[other] { $count } ways
    } to slide, and your opponent's only { $other ->
        [0] none
        [one] one
       *[other] { $other }
    }
