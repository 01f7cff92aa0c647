moyo-name = Sudoku Moyo
moyo-about = Two gardens grow into one Sudoku: place the last stone and you win.
moyo-usage = Name the cell and the digit, for example { $before }e5=7
moyo-rules =
    The board is a Sudoku of nine boxes. Light owns four of them, its Shima (gardens): top left, top middle, middle right and bottom left. Dark owns the four opposite them. The box in the middle, the Azumaya (garden house), is neutral.

    The lot decides who begins. On your turn you place one stone. As in every Sudoku, a digit may stand only once in each row, each column and each box. Each box has one stone of each digit. You need not solve the Sudoku: you may well spoil it, and often you should.

    Opening: as long as any stone fits into the Azumaya, both sides place there. After that each side fills its own Shima only, never the other's.

    Every stone works along its row and column into other gardens; that influence is its moyo. A cell where nothing fits any more gets a round Moyo stone. A stone that fits nowhere in its box is turned over (in the picture a diamond). Both happen by themselves and are no move.

    If it is your turn and you can place nothing, you have lost; whoever placed the last stone wins. Whoever runs out of time loses, if they have moved already; else the match counts for nobody. It is a draw if the other side could place nothing more either. So leave yourself more places than your opponent has, and take away theirs.

    Cells are named by column (a to i) and row (1 to 9, from the top): e5=7 puts a 7 in the middle of the board.

moyo-seat-0 = Light
moyo-seat-1 = Dark
moyo-mark-0 = ⚪
moyo-mark-1 = ⚫

moyo-challenge-side = { $name } would play { $side }. Who begins is decided by lot.

moyo-group-box1 = a1–c3
moyo-group-box2 = d1–f3
moyo-group-box3 = g1–i3
moyo-group-box4 = a4–c6
moyo-group-box5 = Azumaya
moyo-group-box6 = g4–i6
moyo-group-box7 = a7–c9
moyo-group-box8 = d7–f9
moyo-group-box9 = g7–i9

moyo-error-occupied = The { $digit } already lies on { $square }.
moyo-error-azumaya-first =
    { $count ->
        [one] The Azumaya is not full yet: the box in the middle still has a place for a stone, and { $square } is not in it.
       *[other] The Azumaya is not full yet: { $count } cells in the middle box still take a stone, and { $square } is not one of them.
    }
moyo-error-azumaya-done = The Azumaya is closed: no stone fits on { $square } any more. Play in your own Shima.
moyo-error-not-your-shima = { $square } belongs to your opponent's Shima. You may only place stones in your own.
moyo-error-dead = { $square } carries a Moyo stone: no stone that is left fits there.
moyo-error-in-box = { $digit } cannot go to { $square }: it already stands in the same box, at { $at }.
moyo-error-in-row = { $digit } cannot go to { $square }: it already stands in the same row, at { $at }.
moyo-error-in-column = { $digit } cannot go to { $square }: it already stands in the same column, at { $at }.
moyo-error-no-such-digit = The stones are numbered 1 to 9; there is no { $digit }.

moyo-prompt-digit = Now choose a digit for { $square }.

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
            [one] turns 1 stone over
           *[other] turns { $stones } stones over
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
            [one] turns 1 stone of yours over
           *[other] turns { $stones } stones of yours over
        }
    }

moyo-fact-azumaya =
    { $count ->
        [one] The middle box (Azumaya) first: 1 cell still takes a stone
       *[other] The middle box (Azumaya) first: { $count } cells still take a stone
    }
moyo-fact-reach = Stones still to come, at most: { $first } ({ $light }), { $second } ({ $dark })
moyo-fact-room = There was room for more stones, at most: { $first } ({ $light }), { $second } ({ $dark })

moyo-reason-stuck = { $winner } has placed the last stone and wins: { $loser } can place nothing any more.
moyo-board-last = Last move: { $step-2 } on { $step-1 }

# What lies on a cell, for those who listen.

moyo-cell-stone = { $digit }
moyo-cell-moyo = Moyo stone

moyo-alt-turn =
    Sudoku Moyo. { $seat ->
        [0] Light
       *[1] Dark
    } to move{ $open ->
        [0] { "" }
       *[other] , in the Azumaya (box in the middle)
    }.
moyo-alt-over =
    Sudoku Moyo. { $seat ->
        [0] Light
       *[1] Dark
    } has won.
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
moyo-alt-reach = Still to be placed, at most: Light { $light }, Dark { $dark }.
moyo-alt-room = Room for more stones, at most: Light { $light }, Dark { $dark }.
moyo-alt-moves = Possible: { $moves }.

# What stands in the picture.
moyo-picture-room =
    still to place,
    at most
moyo-picture-you = you
moyo-picture-left = left

# Why a move is good: follows the move in hints and analyses.
moyo-because-last = leaves the other side without a move
moyo-because-decides = decides the match, as you can surely place at least as many stones as the other side can at all
moyo-because-closes =
    { $cells ->
        [0] { "" }
        [one] closes one cell of the other side
       *[other] closes { $cells } cells of the other side
    }{ $stones ->
        [0] { "" }
       *[other] { $cells ->
            [0] { $stones ->
                [one] turns over a stone of the other side
               *[other] turns over { $stones } stones of the other side
            }
           *[other] { $stones ->
                [one] {" "}and turns over one of its stones
               *[other] {" "}and turns over { $stones } of its stones
            }
        }
    }
moyo-because-only = there is no other move
moyo-because-takes =
    { $theirs ->
        [one] takes one possible move from the other side
       *[other] takes { $theirs } possible moves from the other side
    } and costs you { $mine ->
        [0] none
        [one] only one
       *[other] only { $mine }
    }
moyo-because-saves = brings your { $digit } on { $square } home before it can be taken from you
moyo-because-cuts = takes { $theirs } possible moves from the other side
moyo-because-spares =
    { $mine ->
        [one] costs you one of your possible moves, and no more
       *[other] costs you only { $mine } of your possible moves
    }
moyo-because-best-trade =
    { $theirs ->
        [0] { "" }
        [one] takes one possible move from the other side and{ " " }
       *[other] takes { $theirs } possible moves from the other side and{ " " }
    }costs you { $mine ->
        [0] none
        [one] one
       *[other] { $mine }
    }{ $theirs ->
        [0] { " of your possible moves" }
       *[other] { "" }
    }, and no move does better
moyo-because-ahead = leaves you more possible moves ({ $mine }) than the other side ({ $theirs })
moyo-because-searched = looking ahead, I find nothing better

# Names of the command: the first is shown.
moyo-command = moyo sudokumoyo
