# Nine Men's Morris.

morris-name = Nine Men's Morris
morris-about = Three in a row takes a stone: place, slide and jump, for two.
morris-usage = { $before }d6 places a stone, { $before }d6-d7 moves it, { $before }d6-d7xg4 also takes g4.
morris-rules =
    Each side has nine stones. White begins.

    First you take turns placing a stone on any free point (d6). Once all are placed you slide: one stone along a line to the next free point (d6-d7). With only three stones left you may jump to any free point.

    Three of your stones side by side on a line are a mill. Whenever you close one, in any phase, you must take one of your opponent's stones: d6xg4, or d6-d7xg4. A stone that stands in a mill is safe as long as there is another to take (a match can also be set so that it is always safe). Two mills at once still take only one stone. Opening a mill and closing it again takes again.

    You win when your opponent has fewer than three stones, or cannot move on their turn. Whoever runs out of time loses, if they have moved already; else the match counts for nobody.

    It is a draw when both sides together make 20 moves in a row without a mill (counted once all stones are placed; a match can also be set to 50 or 100), or when the same position comes up for the third time with the same side to move.

    The files a to g run from left to right, the ranks 1 to 7 from bottom to top, as White sees the board.

morris-seat-0 = White
morris-seat-1 = Black
morris-mark-0 = ⚪
morris-mark-1 = ⚫

morris-option-draw_after = Draw after moves without a mill
morris-option-draw_after-20 = 20
morris-option-draw_after-50 = 50
morris-option-draw_after-100 = 100
morris-option-capture_from_mills = Taking stones out of mills
morris-option-capture_from_mills-if_no_other = If there is no other stone
morris-option-capture_from_mills-never = Never

morris-error-occupied =
    { $seat ->
        [0] There is a white stone on { $square } already.
       *[1] There is a black stone on { $square } already.
    }
morris-error-all-placed = All your stones are placed. Name the stone and where it goes, like d6-d7.
morris-error-still-placing =
    { $count ->
        [one] You still have a stone in hand. Place it first: just name a free point.
       *[other] You still have { $count } stones in hand. Place them first: just name a free point.
    }
morris-error-empty = There is no stone on { $square }.
morris-error-not-your-stone = The stone on { $square } is not yours.
morris-error-not-adjacent = { $to } is not next to { $from }, and you have { $count } stones. Only with three may you jump.
morris-error-capture-due = This closes a mill: say which stone you take, too. You can have { $stones }; for example { $example }.
morris-error-name-the-mill = You take the stone on { $square } with the move that closes a mill: say both at once, for example { $example }.
morris-error-no-capture-due = This closes no mill, so it takes nothing.
morris-error-not-opponents = There is none of your opponent's stones on { $square } to take.
morris-error-in-a-mill = The stone on { $square } stands in a mill. You can have { $stones }.
morris-error-nothing-to-take = All your opponent's stones stand in mills, and those are safe: this mill takes nothing.

morris-prompt-target = Where shall the stone on { $square } go?
morris-prompt-take =
    { $seat ->
        [0] You closed a mill: take one of White's stones.
       *[1] You closed a mill: take one of Black's stones.
    }

morris-effect-takes = closes a mill, takes { $square }
morris-effect-mill = closes a mill

morris-fact-placing = To place: { $first } ({ $white }), { $second } ({ $black })
morris-fact-sliding = All stones are placed
morris-fact-jumping =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } may jump
morris-fact-both-jump = Both may jump
morris-fact-taken = Taken: by { $first } ({ $white }), by { $second } ({ $black })
morris-fact-draw-near =
    { $count ->
        [one] One more move without a mill and it is a draw
       *[other] A draw after { $count } more moves of you both without a mill
    }
morris-fact-second-time = This position has come up for the second time; the third is a draw

morris-reason-few-stones = { $winner } wins: { $loser } has only two stones left.
morris-reason-no-move = { $winner } wins: { $loser } cannot move any more.
morris-reason-no-mill = A draw: { $draw_after } moves in a row without a mill.
morris-reason-repetition = A draw: the same position for the third time.

# What lies on a cell, for those who listen.

morris-cell-stone =
    { $seat ->
        [0] white
       *[1] black
    }

morris-alt-turn =
    { $seat ->
        [0] Nine Men's Morris, White to move.
       *[1] Nine Men's Morris, Black to move.
    }
morris-alt-over-repetition = Nine Men's Morris, drawn: the same position for the third time.
morris-alt-over-no-mill = Nine Men's Morris, drawn: too many moves in a row without a mill.
morris-alt-over-few-stones =
    Nine Men's Morris, { $seat ->
        [0] White has won
       *[1] Black has won
    }: the other side has only two stones left.
morris-alt-over-no-move =
    Nine Men's Morris, { $seat ->
        [0] White has won
       *[1] Black has won
    }: the other side cannot move.
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
        }; nothing could be taken.
       *[1] Black played { $move } and closed { $mills ->
            [one] a mill
           *[other] two mills
        }; nothing could be taken.
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
        [0] White: { $stones }; in hand { $hand }, taken from White { $lost }.
       *[1] Black: { $stones }; in hand { $hand }, taken from Black { $lost }.
    }
morris-alt-no-stones = no stones on the board
morris-alt-place = A stone may be placed on { $points }.
morris-alt-slide = Legal moves: { $moves }.
morris-alt-jump = The stones on { $stones } may jump to { $points }.
morris-alt-mills = A mill is closed by { $moves }; it takes one of { $stones }.
morris-alt-mills-empty = A mill is closed by { $moves }; it takes nothing.

# What stands in the picture.
morris-picture-hand = to place
morris-picture-taken = taken

# Names of the command: the first is shown.
morris-command = morris mill

# Words for options and their choices: the first is shown. Numbers need none.
morris-typed-draw_after = draw
morris-typed-capture_from_mills = mills
morris-typed-capture_from_mills-if_no_other = last
morris-typed-capture_from_mills-never = never

# Why a move is good.

morris-because-last-three = wins, since the other side has only two stones left
morris-because-shuts-in = wins, since the other side cannot move any more
morris-because-draws = the match ends in a draw then
morris-because-only = there is no other move
morris-because-mill = closes a mill
morris-because-mill-takes = closes a mill and takes { $square }
morris-because-two-mills = closes two mills at once and takes { $square }
morris-because-double-mill = closes one mill while it opens another, and takes { $square }
morris-because-mill-and-threat = closes a mill and takes { $square }, which was about to close one
morris-because-mill-and-free = closes a mill, takes { $square } and frees { $freed }
morris-because-blocks = keeps the other side from a mill on { $square }
morris-because-blocks-one = keeps the other side from a mill on { $square }, but not from the one on { $other }
morris-because-blocks-two = keeps the other side from two mills at once, on { $square }
morris-because-two-threats = threatens two mills at once
morris-because-threatens = threatens a mill on { $square }
morris-because-opens = opens the mill, to close it again on { $square }
morris-because-hems-in =
    { $count ->
        [one] leaves the other side a single move
       *[other] leaves the other side only { $count } moves
    }
morris-because-crossing = takes a crossing with four ways
morris-because-room = gives your stones more room
morris-because-lets-none =
    { $count ->
        [one] lets the other side close no mill, unlike another move
       *[other] lets the other side close no mill, unlike { $count } other moves
    }
morris-because-no-better = whatever you play, the other side can close a mill, here on { $square }
morris-because-races = lets the other side close a mill, but threatens one of yours on { $square }
morris-because-prepares = puts two stones in a row, and a mill only lacks { $square }
morris-because-cramps =
    { $count ->
        [0] leaves the other side’s stones no way to slide
        [one] leaves the other side’s stones less room, just one way to slide
       *[other] leaves the other side’s stones less room, { $count } ways to slide
    }
morris-because-keeps-mill = waits, and keeps your mill closed
morris-because-most-room =
    { $count ->
        [one] leaves your stones one way to slide, and no move leaves more
       *[other] leaves your stones { $count } ways to slide, and no move leaves more
    }
morris-because-least-room =
    { $count ->
        [0] leaves the other side’s stones no way to slide
        [one] leaves the other side’s stones one way to slide, and no move leaves fewer
       *[other] leaves the other side’s stones { $count } ways to slide, and no move leaves fewer
    }
morris-because-searched = looking ahead, I find nothing better
morris-because-balance = leaves your stones { $count ->
        [one] one way
       *[other] { $count } ways
    } to slide, and the other side’s only { $other ->
        [0] none
        [one] one
       *[other] { $other }
    }
