# Othello, with Reversi as a variant.

othello-name = Othello
othello-about = Flank and flip discs on an 8×8 board. More discs win. For two players.
othello-usage = Type a square: { $before }d3. In Reversi, add a direction if several lines are possible: { $before }d3:ne.
othello-rules =
    Goal: have the most discs at the end.

    Setup: two black and two white discs lie on the four centre squares. Black moves first.

    Your turn: place a disc of your colour on a free square so that it flanks discs of your opponent. Flanked discs form an unbroken straight line between the new disc and another one of yours: along a row, a column or a diagonal. All flanked discs are flipped to your colour, in every direction. Discs that are flanked only because of the flipping stay as they are.

    Passing: every move must flip at least one disc. If you have no such move, you pass automatically. If you have one, you may not pass.

    End: the game ends when neither player can move. The player with more discs wins and also gets the free squares. An equal count is a draw.

    Time: if your clock runs out, you lose. If you have not moved yet, the game is aborted instead.

    Squares are named by column and row: a1 is top left, h8 bottom right.

    Tips: few discs early on often mean more moves later. Corners can never be flipped, so take care next to a free corner.

    Reversi variant: the players place the first four discs in turn on the four centre squares. After that, each move flips only one of the flanked lines. If there are several, add the direction: d3:ne flips the line to the north-east (n ne e se s sw w nw, with north at the top).

othello-seat-0 = Black
othello-seat-1 = White
othello-mark-0 = ⚫
othello-mark-1 = ⚪

othello-option-rules = Variant
othello-option-rules-othello = Othello
othello-option-rules-reversi = Reversi: free opening, one line per move

othello-error-occupied = There is already a disc on { $square }. Choose a free square.
othello-error-flips-nothing = A disc on { $square } flips nothing. Every move must flip at least one disc.
othello-error-not-centre = { $square } is not a centre square. The first four discs go on the four centre squares.
othello-error-can-move = You cannot pass while you have a move. You can play { $square }, for example.
othello-error-no-line = There is no line to flip in that direction. You can play { $moves }.

othello-prompt-line = Which line do you want to flip? Choose its direction from { $square }.

othello-effect-flips =
    { $count ->
        [one] flips one disc
       *[other] flips { $count } discs
    }

othello-fact-score = Discs: { $first } { $black }, { $second } { $white }
othello-fact-credited =
    { $count ->
        [one] 1 free square goes to
       *[other] { $count } free squares go to
    } { $seat ->
        [0] { $first }
       *[1] { $second }
    }
othello-fact-passed =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } had to pass
othello-fact-opening =
    { $count ->
        [one] 1 centre square left to fill
       *[other] { $count } centre squares left to fill
    }

othello-reason-discs = { $winner } wins, { $won } to { $lost } discs.
othello-reason-wipe-out = { $winner } wins, { $won } to { $lost }. { $loser } has no discs left, so all free squares go to { $winner }.
othello-reason-draw = Draw: { $won } discs each.

# Cell labels for screen readers.

othello-cell-disc =
    { $seat ->
        [0] black
       *[1] white
    }

# The picture in words, for screen readers.

othello-alt-turn =
    { $seat ->
        [0] Othello, Black to move.
       *[1] Othello, White to move.
    }
othello-alt-won =
    { $seat ->
        [0] Othello, Black won { $black } to { $white }.
       *[1] Othello, White won { $white } to { $black }.
    }
othello-alt-draw = Othello, draw, { $black } to { $white }.
othello-alt-last =
    { $seat ->
        [0] Black played { $square }
       *[1] White played { $square }
    }{ $count ->
        [0] .
       *[other] , flipping { $flipped }.
    }
othello-alt-passed =
    { $seat ->
        [0] Then Black had to pass.
       *[1] Then White had to pass.
    }
othello-alt-discs =
    { $seat ->
        [0] Black
       *[1] White
    } { $count ->
        [0] has no discs.
       *[other] has { $count }: { $squares }.
    }
othello-alt-moves = Legal moves ({ $count }): { $moves }.

# Why a move is good. Each text is a sentence after the colon of a hint.
othello-because-wins = it wins the game { $own } to { $other }
othello-because-loses = it ends the game with a loss, { $own } to { $other }
othello-because-draws = it ends the game in a draw
othello-because-ahead = it wins by force, at least { $own } to { $other }
othello-because-level = it holds the draw by force
othello-because-behind = it loses by as little as possible, { $own } to { $other }
othello-because-must-pass = none of your moves would flip a disc
othello-because-only = it is your only legal move
othello-because-centre = the first four discs go on the centre squares
othello-because-corner = it takes the corner { $square }, which can never be flipped
othello-because-pass = it leaves your opponent no move, so you move again
othello-because-guards = it keeps your opponent from taking the corner { $square }
othello-because-threatens = it threatens to take the corner { $square }
othello-because-safe = it extends from your corner, so this disc can never be flipped
othello-because-keeps =
    { $count ->
        [one] it gives up no corner, unlike another move
       *[other] it gives up no corner, unlike { $count } other moves
    }
othello-because-no-better = every move lets your opponent take a corner, here { $square }
othello-because-exchange = it gives up the corner { $square }, but you can then take { $other }
othello-because-corner-but =
    { $count ->
        [one] it gives up the corner { $square }, but leaves your opponent no other move
       *[other] it gives up the corner { $square }, but leaves your opponent only { $count } moves
    }
othello-because-corner-for = it gives up the corner { $square } and leaves you { $count ->
        [0] no move
        [one] one move
       *[other] { $count } moves
    } against your opponent's { $other }
othello-because-mobility =
    { $count ->
        [one] it leaves your opponent only one move
       *[other] it leaves your opponent only { $count } moves
    }
othello-because-fewest = it leaves your opponent { $count } moves, and every other move leaves more
othello-because-as-few = it leaves your opponent { $count } moves, and no move leaves fewer
othello-because-inside = it flips only inner discs, which touch no free square
othello-because-quiet =
    { $count ->
        [one] it flips only one disc, a quiet move
       *[other] it flips only { $count } discs, a quiet move
    }
othello-because-fewest-flipped =
    { $count ->
        [one] it flips one disc, and no move flips fewer
       *[other] it flips { $count } discs, and no move flips fewer
    }
othello-because-closed =
    { $count ->
        [one] it flips discs that touch only one free square, and no move opens up less
       *[other] it flips discs that touch only { $count } free squares, and no move opens up less
    }
othello-because-choice = it leaves you more moves ({ $count }) than your opponent ({ $other })
othello-because-most =
    { $count ->
        [one] it leaves you one move, and no move leaves more
       *[other] it leaves you { $count } moves, and no move leaves more
    }
othello-because-fills = it fills a gap of a single square
othello-because-parity = it leaves an even number of free squares there ({ $count }), so the player who starts there does not get the last one
othello-because-ahead-of = it is the best move I found, looking { $count } moves ahead
othello-because-searched = it is the best move I found, looking ahead
othello-because-balance = it leaves you { $count ->
        [0] no move
        [one] one move
       *[other] { $count } moves
    } against your opponent's { $other }

# Names of the command and words of the notation. The first one is shown.
othello-command = othello reversi
othello-word-pass = pass pa ps
othello-word-n = n north
othello-word-ne = ne northeast
othello-word-e = e east
othello-word-se = se southeast
othello-word-s = s south
othello-word-sw = sw southwest
othello-word-w = w west
othello-word-nw = nw northwest

# Words to type for options and choices. The first one is shown. Numbers need none.
othello-typed-rules = variant rules
othello-typed-rules-othello = othello
othello-typed-rules-reversi = reversi
