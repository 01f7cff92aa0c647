# Othello, and Reversi as a choice of rules.

othello-name = Othello
othello-about = Enclose and flip discs on 8×8 squares: most discs win, for two.
othello-usage = Name a square: { $before }d3. In Reversi add the line where there are several: { $before }d3:ne.
othello-rules =
    Black begins. Place a disc of your colour so that it encloses discs of the other colour: in a straight line, along a row, a column or a diagonal, between the new disc and another of yours, without gaps.

    All enclosed discs are flipped to your colour, in every direction at once. Discs that come to lie between two of yours only because of the flipping stay as they are.

    Every move must flip at least one disc. If you cannot flip any, you pass; the table does that for you. If you can, you may not pass.

    The match ends when neither side can move. Most discs win, and squares that are still free count for the winner. With equal numbers it is a draw. Whoever runs out of time loses, if they have moved already; else the match counts for nobody.

    Squares are named by column and row: a1 is top left, h8 bottom right.

    Do not grab: few discs early on often mean more choice later. Corners can never be flipped, so take care next to a free corner.

    Reversi, on request: you place the first four discs yourselves, in turn, on the four centre squares. After that each move flips only one of the lines that it encloses. Where there are several, you say which: d3:ne for the one to the north east (n ne e se s sw w nw; north is up).

othello-seat-0 = Black
othello-seat-1 = White
othello-mark-0 = ⚫
othello-mark-1 = ⚪

othello-option-rules = Variant
othello-option-rules-othello = Othello
othello-option-rules-reversi = Reversi: free opening, one line a move

othello-error-occupied = There is a disc on { $square } already.
othello-error-flips-nothing = A disc on { $square } would flip nothing, and every move must flip something.
othello-error-not-centre = The first four discs go on the four centre squares, and { $square } is not one of them.
othello-error-can-move = You can still move, on { $square } for one, so you may not pass.
othello-error-no-line = No line is enclosed in that direction. You can play { $moves }.

othello-prompt-line = Which line shall be flipped? Choose its direction from { $square }.

othello-effect-flips =
    { $count ->
        [one] flips one disc
       *[other] flips { $count } discs
    }

othello-fact-score = Discs: { $first } ({ $black }), { $second } ({ $white })
othello-fact-credited =
    { $count ->
        [one] One free square counts for
       *[other] { $count } free squares count for
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
        [one] One more disc for the centre
       *[other] { $count } more discs for the centre
    }

othello-reason-discs = { $winner } wins, { $won } to { $lost } discs.
othello-reason-wipe-out = { $winner } wins, { $won } to { $lost }: { $loser } has no disc left, so the free squares count for { $winner }, too.
othello-reason-draw = A draw: { $won } discs each.

# What lies on a cell, for those who listen.

othello-cell-disc =
    { $seat ->
        [0] black
       *[1] white
    }

othello-alt-turn =
    { $seat ->
        [0] Othello, Black to move.
       *[1] Othello, White to move.
    }
othello-alt-won =
    { $seat ->
        [0] Othello, Black has won, { $black } to { $white }.
       *[1] Othello, White has won, { $white } to { $black }.
    }
othello-alt-draw = Othello, drawn, { $black } to { $white }.
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

# Why a move is good (the computer's hints).
othello-because-wins = ends the match, and wins it { $own }:{ $other }
othello-because-loses = ends the match { $own }:{ $other }
othello-because-draws = ends the match with a draw
othello-because-ahead = wins, at least { $own }:{ $other }, whatever comes
othello-because-level = holds the draw, whatever comes
othello-because-behind = saves what can be saved, and loses { $own }:{ $other }
othello-because-must-pass = there is nothing else: none of your moves would flip a disc
othello-because-only = there is no other move
othello-because-centre = the first four discs go into the middle
othello-because-corner = takes the corner { $square }, which nobody can ever flip
othello-because-pass = leaves the other side no move, and so you go on
othello-because-guards = keeps the other side away from the corner { $square }
othello-because-threatens = aims at the corner { $square }
othello-because-safe = builds on your corner, and so this disc stays yours for good
othello-because-keeps =
    { $count ->
        [one] gives no corner away, unlike another move
       *[other] gives no corner away, unlike { $count } other moves
    }
othello-because-no-better = whatever you play, the other side can take a corner, here { $square }
othello-because-exchange = gives up the corner { $square }, but then you can take { $other }
othello-because-corner-but =
    { $count ->
        [one] gives up the corner { $square }, but leaves the other side no other move
       *[other] gives up the corner { $square }, but leaves the other side only { $count } moves
    }
othello-because-corner-for = gives up the corner { $square }, and leaves you { $count ->
        [0] no move
        [one] one move
       *[other] { $count } moves
    } to the other side’s { $other }
othello-because-mobility =
    { $count ->
        [one] leaves the other side only one move
       *[other] leaves the other side only { $count } moves
    }
othello-because-fewest = leaves the other side { $count } moves, fewer than any other move
othello-because-as-few = leaves the other side { $count } moves, and no move leaves fewer
othello-because-inside = stays inside, since what it flips touches no free square
othello-because-quiet =
    { $count ->
        [one] flips a single disc, a quiet move
       *[other] flips only { $count } discs, a quiet move
    }
othello-because-fewest-flipped =
    { $count ->
        [one] flips a single disc, and no move flips fewer
       *[other] flips { $count } discs, and no move flips fewer
    }
othello-because-closed =
    { $count ->
        [one] opens little, since what it flips touches one free square only, and no move opens less
       *[other] opens little, since what it flips touches { $count } free squares, and no move opens less
    }
othello-because-choice = keeps more choice for you ({ $count } moves) than for the other side ({ $other })
othello-because-most = leaves you { $count } moves, and no move leaves more
othello-because-fills = fills a gap in which there was room for one disc only
othello-because-parity = leaves an even number of free squares there ({ $count }), so that whoever begins does not have the last move
othello-because-ahead-of = looking { $count } moves ahead, nothing is better
othello-because-searched = looking ahead, I find nothing better
othello-because-balance = leaves you { $count ->
        [0] no move
        [one] one move
       *[other] { $count } moves
    } to the other side’s { $other }

# Names of the command, and words for those of the game’s own notation: the first is shown.
othello-command = othello reversi
othello-word-pass = pass
othello-word-n = n north
othello-word-ne = ne northeast
othello-word-e = e east
othello-word-se = se southeast
othello-word-s = s south
othello-word-sw = sw southwest
othello-word-w = w west
othello-word-nw = nw northwest

# Words for options and their choices: the first is shown. Numbers need none.
othello-typed-rules = variant rules
othello-typed-rules-othello = othello
othello-typed-rules-reversi = reversi
