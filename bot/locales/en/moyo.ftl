# Sudoku Moyo.

moyo-name = Sudoku Moyo
moyo-about = Two gardens grow into one Sudoku. Place the last stone to win. For two players.
moyo-usage = Type a cell and a digit: { $before }e5=7.
moyo-rules =
    Goal: place the last stone. If it is your turn and you cannot place a stone, you lose.

    Setup: the board is a Sudoku with some digits given. It has nine boxes. Light owns four of them, called Shima (gardens): top left, top middle, middle right and bottom left. Dark owns the four opposite ones. The middle box is neutral and called the Azumaya (garden house). The first player is chosen at random.

    Your turn: place one stone. As in every Sudoku, a digit may appear only once in each row, column and box. Each box has one stone of each digit. You need not solve the Sudoku. You may spoil it, and often you should.

    Opening: as long as any stone fits in the Azumaya, both players must play there. After that, each player plays only in their own Shima.

    Moyo: a stone also blocks its digit along its row and column, in other gardens too. This influence is called moyo. A cell where no stone fits any more gets a round Moyo stone. A stone that no longer fits anywhere in its box is turned over (a diamond in the picture). Both happen automatically and are not moves.

    Time: if your clock runs out, you lose. It is a draw if your opponent can no longer place a stone. If you have not moved yet, the game is aborted instead.

    Cells are named by column (a to i) and row (1 to 9 from the top). e5=7 puts a 7 in the middle of the board.

    Tip: keep more places for your stones than your opponent has, and take theirs away.

moyo-seat-0 = Light
moyo-seat-1 = Dark
moyo-mark-0 = ⚪
moyo-mark-1 = ⚫

moyo-challenge-side = { $name } would play { $side }. The first player is chosen at random.

moyo-group-box1 = a1–c3
moyo-group-box2 = d1–f3
moyo-group-box3 = g1–i3
moyo-group-box4 = a4–c6
moyo-group-box5 = Azumaya
moyo-group-box6 = g4–i6
moyo-group-box7 = a7–c9
moyo-group-box8 = d7–f9
moyo-group-box9 = g7–i9

moyo-error-occupied =
    There is already { $digit ->
        [8] an 8
       *[other] a { $digit }
    } on { $square }. Choose an empty cell.
moyo-error-azumaya-first =
    { $count ->
        [one] { $square } is outside the Azumaya. Play in the middle box first: 1 cell there still takes a stone.
       *[other] { $square } is outside the Azumaya. Play in the middle box first: { $count } cells there still take a stone.
    }
moyo-error-azumaya-done = { $square } is in the Azumaya, where no stone fits any more. Play in your own Shima.
moyo-error-not-your-shima = { $square } is in your opponent's Shima. Play in your own.
moyo-error-dead = No stone fits on { $square } any more, so it has a Moyo stone. Choose another cell.
moyo-error-in-box = { $digit } cannot go on { $square }: the box already has it on { $at }. Choose another digit.
moyo-error-in-row = { $digit } cannot go on { $square }: the row already has it on { $at }. Choose another digit.
moyo-error-in-column = { $digit } cannot go on { $square }: the column already has it on { $at }. Choose another digit.
moyo-error-no-such-digit = There is no { $digit }. The stones are numbered 1 to 9.

moyo-prompt-digit = Choose a digit for { $square }.

moyo-effect-wins = wins
moyo-effect-theirs =
    { $cells ->
        [0] { "" }
        [one] closes 1 cell
       *[other] closes { $cells } cells
    }{ $stones ->
        [0] { "" }
       *[other] { $cells ->
            [0] { "" }
           *[other] { ", " }
        }{ $stones ->
            [one] turns over 1 stone
           *[other] turns over { $stones } stones
        }
    }
moyo-effect-own =
    { $cells ->
        [0] { "" }
        [one] costs you 1 cell
       *[other] costs you { $cells } cells
    }{ $stones ->
        [0] { "" }
       *[other] { $cells ->
            [0] { "" }
           *[other] { ", " }
        }{ $stones ->
            [one] turns over 1 of your stones
           *[other] turns over { $stones } of your stones
        }
    }

moyo-fact-azumaya =
    { $count ->
        [one] Azumaya (middle box) first: 1 cell still takes a stone
       *[other] Azumaya (middle box) first: { $count } cells still take a stone
    }
moyo-fact-reach = Stones each can still place, at most: { $first } { $light }, { $second } { $dark }
moyo-fact-room = Room left for stones, at most: { $first } { $light }, { $second } { $dark }

moyo-reason-stuck = { $winner } wins: { $loser } cannot place a stone.
moyo-board-last = Last move: { $step-2 } on { $step-1 }

# Cell labels for screen readers.

moyo-cell-stone = { $digit }
moyo-cell-moyo = Moyo stone

# The picture in words, for screen readers.

moyo-alt-turn =
    Sudoku Moyo. { $seat ->
        [0] Light
       *[1] Dark
    } to move{ $open ->
        [0] { "" }
       *[other] , in the Azumaya (middle box)
    }.
moyo-alt-over =
    Sudoku Moyo. { $seat ->
        [0] Light
       *[1] Dark
    } won.
moyo-alt-last =
    Last move: { $seat ->
        [0] Light
       *[1] Dark
    } put the { $digit } on { $square }.
moyo-alt-losses =
    { $seat ->
        [0] Light
       *[1] Dark
    } lost cells: { $cells }, stones turned over: { $stones }.
moyo-alt-rows = Rows from the top, a to i (dot empty, x Moyo stone): { $rows }.
moyo-alt-turned = Stones turned over, by box (1 top left to 9 bottom right): { $stones }.
moyo-alt-reach = Stones each can still place, at most: Light { $light }, Dark { $dark }.
moyo-alt-room = Room left for stones, at most: Light { $light }, Dark { $dark }.
moyo-alt-moves = Legal moves: { $moves }.

# Words in the picture.
moyo-picture-room =
    can still place
    (at most)
moyo-picture-you = you
moyo-picture-left = left

# Why a move is good. Each text is a sentence after the colon of a hint.
moyo-because-last = it leaves your opponent no move
moyo-because-decides = it decides the game, as you are sure to place at least as many stones as your opponent
moyo-because-closes =
    it { $cells ->
        [0] { "" }
        [one] closes one of your opponent's cells
       *[other] closes { $cells } of your opponent's cells
    }{ $stones ->
        [0] { "" }
       *[other] { $cells ->
            [0] { $stones ->
                [one] turns over one of your opponent's stones
               *[other] turns over { $stones } of your opponent's stones
            }
           *[other] { $stones ->
                [one] {" "}and turns over one stone
               *[other] {" "}and turns over { $stones } stones
            }
        }
    }
moyo-because-only = it is your only legal move
moyo-because-takes =
    it { $theirs ->
        [one] takes one possible move from your opponent
       *[other] takes { $theirs } possible moves from your opponent
    } and costs you { $mine ->
        [0] none
        [one] only one
       *[other] only { $mine }
    }
moyo-because-saves = it places your { $digit } on { $square } before your opponent can block it
moyo-because-cuts = it takes { $theirs } possible moves from your opponent
moyo-because-spares =
    { $mine ->
        [one] it costs you only one of your possible moves
       *[other] it costs you only { $mine } of your possible moves
    }
moyo-because-best-trade =
    it { $theirs ->
        [0] { "" }
        [one] takes one possible move from your opponent and{ " " }
       *[other] takes { $theirs } possible moves from your opponent and{ " " }
    }costs you { $mine ->
        [0] none
        [one] one
       *[other] { $mine }
    }{ $theirs ->
        [0] { " of your possible moves" }
       *[other] { "" }
    }, and no move does better
moyo-because-ahead = it leaves you more possible moves ({ $mine }) than your opponent ({ $theirs })
moyo-because-searched = it is the best move I found, looking ahead

# Names of the command. The first one is shown.
moyo-command = moyo sudokumoyo
