# Black Box, alone or with a second player who hides.

blackbox-name = Black Box
blackbox-about = Send rays into a closed box and deduce where the stones lie: alone or for two.
blackbox-usage = Ask at an entry, { $before }ask 17, mark a cell, { $before }mark c4, and at last { $before }guess.
blackbox-rules =
    Stones lie in a closed box, mostly five. Send rays in from its edge and deduce from the answers where they are, for as few points as you can.

    Entries are numbered clockwise from the top left corner. A ray runs straight on until it meets a stone:

    A stone straight ahead: a hit, shown as a target. The ray ends.
    A stone beside the next cell, on one side: the ray turns away just before it.
    Stones on both sides of the next cell: an accident, shown as a star. The ray ends. So it does if a stone lies beside the very first cell.
    Otherwise it comes out somewhere, and both ends are shown with the same sign.

    Each answer on the edge costs one point, so a ray that comes out costs two. What is answered already costs nothing.

    Marks are your notes: set them where you suspect stones, as often as you like. Answers that your marks would not give carry an exclamation mark.

    Your guess ends the search: each wrong stone costs five points. Too few marks: each stone left out counts as wrong. Too many: each mark without a stone does. With five stones, 16 points in all is good.

    Cells are named by column and row; a1 is top left. What is marked, unmark c4 takes off again, and clear all of it. Entries can also be named by their side: T3, R3, ask B3 (left to right), L3 (top to bottom).

    For two: one hides the stones, the other seeks, then you swap. The lower total wins. Out of time after one's first move: lost; a draw if the other cannot stay below any more.

blackbox-seat-0 = Seek first
blackbox-seat-1 = Hide first
blackbox-role-hider = hides
blackbox-role-seeker = seeks
blackbox-waits-hider = First the stones are hidden.
blackbox-waits-seeker = Now it is the seeker's turn.
blackbox-challenge-side = { $name } would like this: { $side }.
blackbox-mark-0 = ⚪
blackbox-mark-1 = ⚫

blackbox-group-ask = ask
blackbox-group-mark = mark
blackbox-group-hide = hide

blackbox-option-mode = Players
blackbox-option-mode-solo = One: the box is dealt
blackbox-option-mode-hide = Two: you hide for each other
blackbox-option-size = Size of the box
blackbox-option-size-8 = 8×8
blackbox-option-size-5 = 5×5
blackbox-option-size-6 = 6×6
blackbox-option-size-10 = 10×10
blackbox-option-stones = Stones
blackbox-option-stones-5 = 5
blackbox-option-stones-4 = 4, for beginners
blackbox-option-stones-3 = 3
blackbox-option-stones-6 = 6
blackbox-option-stones-7 = 7
blackbox-option-stones-8 = 8
blackbox-option-fair = Dealt boxes
blackbox-option-fair-yes = Always solvable without luck
blackbox-option-fair-no = Any, even if the last stone must be guessed

blackbox-error-no-entry = There is no entry { $entry }. Entries are numbered 1 to { $last }, clockwise from the top left corner.
blackbox-error-already-asked =
    { $answer ->
        [T] Entry { $entry } is answered already: a hit.
        [U] Entry { $entry } is answered already: an accident.
       *[other] Entry { $entry } is answered already: its ray comes out at { $answer }.
    }
blackbox-error-marked = { $square } is marked already. { $before }unmark { $square } takes the mark away.
blackbox-error-not-marked = There is no mark on { $square }.
blackbox-error-no-marks = There are no marks to clear.
blackbox-error-box-closed = The stones lie already, and nobody may move them. Now it is the seeker's turn to ask, mark and guess.
blackbox-error-still-hiding = First hide your stones: { $before }hide a2 for each, then { $before }ready.
blackbox-error-not-all-hidden = The box takes exactly { $stones } stones. Hide the rest, then say ready.
blackbox-error-all-hidden = All { $stones } stones lie in the box. Say ready, or take one out first.
blackbox-error-hidden-there = One of your stones lies there already.
blackbox-error-nothing-hidden = None of your stones lies there.

blackbox-effect-guess =
    { $count ->
        [0] ends the search, without a mark
        [one] ends the search, with 1 mark
       *[other] ends the search, with { $count } marks
    }
blackbox-caution-too-few =
    { $count ->
        [0] You have no marks yet
        [one] You have only 1 mark
       *[other] You have only { $count } marks
    }, but there are { $stones } stones. Each one missing costs as much as a wrong one: at least { $points } points. Guess all the same?
blackbox-caution-too-many =
    You have { $count } marks, but there are only { $stones } stones. { $wrong ->
        [one] At least one mark
       *[other] At least { $wrong } marks
    } must be wrong: { $points } points or more. Guess all the same?

blackbox-caution-contradiction =
    { $count ->
        [one] One answer contradicts
       *[other] { $count } answers contradict
    } your marks, so they cannot all be right. Guess all the same?

blackbox-fact-cost =
    { $count ->
        [one] 1 point
       *[other] { $count } points
    }
blackbox-fact-cost-of =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    }: { $count ->
        [one] 1 point
       *[other] { $count } points
    }
blackbox-fact-sum =
    { $count ->
        [one] 1 point
       *[other] { $count } points
    }: { $answers } for answers{ $wrong ->
        [0] , no stone wrong
        [one] , { $stones } for 1 stone wrong or missing
       *[other] , { $stones } for { $wrong } stones wrong or missing ({ $each } each)
    }
blackbox-fact-sum-of =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    }: { $count ->
        [one] 1 point
       *[other] { $count } points
    } ({ $answers } for answers{ $wrong ->
        [0] , no stone wrong)
        [one] , { $stones } for 1 wrong stone)
       *[other] , { $stones } for { $wrong } wrong stones)
    }
blackbox-fact-marks =
    { $count ->
        [one] 1 mark
       *[other] { $count } marks
    }, { $stones } stones
blackbox-fact-contradicted =
    { $missing ->
        [0] { $count ->
            [one] 1 answer contradicts the marks
           *[other] { $count } answers contradict the marks
        }
       *[other] { $count ->
            [one] 1 answer does not fit the marks yet
           *[other] { $count } answers do not fit the marks yet
        }
    }
blackbox-fact-hiding =
    { $hidden ->
        [0] You hide { $stones } stones, and { $seat ->
            [0] { $second }
           *[1] { $first }
        } looks for them{ $leg ->
            [1] ; then you swap
           *[other] { "" }
        }. Choose a square for the first stone
       *[other] Hidden { $hidden } of { $stones }: { $left ->
            [0] press “{ blackbox-button-ready }”, or take a stone out again
           *[other] choose a square for the next stone
        }
    }
blackbox-fact-closed =
    { $seat ->
        [0] { $first } hides { $stones } stones, and { $second } looks for them
       *[1] { $second } hides { $stones } stones, and { $first } looks for them
    }{ $leg ->
        [1] ; then they swap
       *[other] { "" }
    }

# What was guessed is told by the board.
blackbox-board-last =
    { $step-1 ->
        [guess] { "" }
       *[other] Last move: { $move }
    }
blackbox-reason-guessed = The guess is made, the box lies open.
blackbox-reason-lower-cost = { $winner } wins with { $won } to { $lost } points: fewer are better.
blackbox-reason-equal-cost = A draw: { $first } and { $second } have { $won } points each.

blackbox-ending-resigned-alone = Given up. That counts as if nothing had been guessed.
blackbox-ending-timeout-alone = Out of time. That counts as if nothing had been guessed.

# Why the computer would play a move: behind what it would play (see below).

blackbox-because-parts = its answer should rule out about { $percent } % of the possibilities
blackbox-because-settles = whatever the answer is, it gives the whole box away
blackbox-because-known = nothing is left to find out
blackbox-because-risk =
    { $points ->
        [one] to ask on would cost more than the one point that you risk
       *[other] to ask on would cost more than the { $points } points that you risk
    }
blackbox-because-certain = a stone must be there
blackbox-because-likely = with a chance of { $percent } % a stone is there
blackbox-because-empty = no stone can be there
blackbox-because-unlikely = there is a stone with a chance of { $percent } % only
blackbox-because-hides = rays tell little about a stone there
blackbox-because-hidden = all your stones lie

# What lies on a cell, for those who listen.

blackbox-cell-hit = hit
blackbox-cell-accident = accident
blackbox-cell-through = comes out at { $entry }
blackbox-cell-marked = marked
blackbox-cell-stone = your stone

blackbox-alt-box = Black Box, { $size } by { $size }, { $stones } stones.
blackbox-alt-leg = Leg { $leg } of two.
blackbox-alt-hiding = The hider is still hiding the stones.
blackbox-alt-hidden =
    { $count ->
        [0] You are hiding; no stone lies yet.
       *[other] You are hiding; so far: { $cells }.
    }
blackbox-alt-former = The search before:
blackbox-alt-silent = No answers yet.
blackbox-alt-last =
    { $answer ->
        [T] Last: entry { $entry }, a hit.
        [U] Last: entry { $entry }, an accident.
       *[other] Last: entry { $entry } comes out at { $answer }.
    }
blackbox-alt-through = Rays through ({ $count }): { $rays }.
blackbox-alt-hits = Hits ({ $count }): { $entries }.
blackbox-alt-accidents = Accidents ({ $count }): { $entries }.
blackbox-alt-marks =
    { $count ->
        [0] No marks.
       *[other] Marks ({ $count }): { $cells }.
    }
blackbox-alt-contradicted = Answers that contradict the marks ({ $count }): { $entries }.
blackbox-alt-stones = Stones: { $cells }; marked rightly: { $found }.
blackbox-alt-cost = Points: { $count }.
blackbox-alt-unasked =
    { $count ->
        [0] Every entry is answered.
       *[other] Entries still to ask ({ $count }): { $entries }.
    }

# The answers in lists of moves, where others are a number.
blackbox-answer-t = hit
blackbox-answer-u = accident

# What stands in the picture.
blackbox-picture-start =
    Choose a number on the edge:
    it sends a ray into the box.
blackbox-picture-hit = hit
blackbox-picture-accident = accident
blackbox-picture-through = comes out there
blackbox-picture-doubt = does not fit
blackbox-picture-point = point
blackbox-picture-points = points
blackbox-picture-marks = marked
blackbox-picture-found = found
blackbox-picture-stones = stones

# Steps that have no place in the picture.
blackbox-button-private = Hide stones
blackbox-button-guess = Guess
blackbox-button-clear = Clear the marks
blackbox-button-ready = All hidden

# Names of the command, and words for those of the game’s own notation: the first is shown.
blackbox-command = blackbox box ordo
blackbox-word-ask = ask query ray test
blackbox-word-mark = mark
blackbox-word-unmark = unmark remove
blackbox-word-clear = clear
blackbox-word-guess = guess submit
blackbox-word-hide = hide
blackbox-word-unhide = unhide
blackbox-word-ready = ready done
blackbox-word-top = top upper
blackbox-word-right = right
blackbox-word-bottom = bottom lower
blackbox-word-left = left

# Words for options and their choices: the first is shown. Numbers need none.
blackbox-typed-mode = players
blackbox-typed-mode-solo = alone solo
blackbox-typed-mode-hide = hide
blackbox-typed-size = size
blackbox-typed-stones = stones
blackbox-typed-fair = fair
blackbox-typed-fair-yes = yes
blackbox-typed-fair-no = no

# What the computer would do, before the reason: $what is an entry or a cell.

blackbox-hint-ask = I would ask at { $what }
blackbox-hint-mark = I would mark { $what }
blackbox-hint-unmark = I would take the mark off { $what }
blackbox-hint-clear = I would take all marks off
blackbox-hint-guess = I would guess now
blackbox-hint-hide = I would hide a stone on { $what }
blackbox-hint-unhide = I would take the stone off { $what } again
blackbox-hint-ready = I would leave it at that

# What the coach says besides: how it stands, what the question leaves of that, what it takes; $count
# and $left are layouts, large numbers are rounded.

blackbox-advice-possible =
    { $count ->
        [one] Only one layout is possible any more.
       *[other] { $count } layouts are still possible.
    }
blackbox-advice-possible-many = About { NUMBER($count, useGrouping: "true") } layouts are still possible.
blackbox-advice-possible-sampled = Going by a sample, about { NUMBER($count, useGrouping: "true") } layouts are still possible.
blackbox-advice-best =
    { $counted ->
        [exactly] Of { $count } layouts that are possible now,
        [sampled] Going by a sample, about { NUMBER($count, useGrouping: "true") } layouts are possible now, of which
       *[roughly] Of about { NUMBER($count, useGrouping: "true") } layouts that are possible now,
    } { $left ->
        [one] a single one
       *[other] { NUMBER($left, useGrouping: "true") }
    } should be left after { $entry }. To the end it should take { $cost ->
        [one] one point
       *[other] { $cost } points
    }.
blackbox-advice-as-good = Just as good: { $entries }.
blackbox-advice-dearer =
    { $cost ->
        [one] Dearer: { $entries }, at one point.
       *[other] Dearer: { $entries }, at { $cost } points.
    }

# What it says afterwards.

blackbox-course-whose =
    { $seat ->
        [0] { $first }
       *[1] { $second }
    } searched:
blackbox-course-step =
    { $entry } → { $answer ->
        [T] hit
        [U] accident
       *[other] { $answer }
    }: { $left ->
        [one] one layout was left.
       *[other] { $left } layouts were left.
    }
blackbox-course-step-many =
    { $entry } → { $answer ->
        [T] hit
        [U] accident
       *[other] { $answer }
    }: about { NUMBER($left, useGrouping: "true") } layouts were left.
blackbox-course-step-unknown =
    { $entry } → { $answer ->
        [T] hit
        [U] accident
       *[other] { $answer }
    }
blackbox-course-avoidable = { $entry } was the first question that told nothing new.
blackbox-course-contradicted = The answer at { $entry } already spoke against the guess.
blackbox-course-refuting = { $entry } would have shown that the guess was wrong.
blackbox-course-best =
    { $points ->
        [one] That took { $cost } points. One would have been enough: { $entries }.
       *[other] That took { $cost } points. { $points } would have been enough, and nothing less: { $entries }.
    }
blackbox-course-best-reached =
    { $cost ->
        [one] That took one point. Nobody could have been certain for less.
       *[other] That took { $cost } points. Nobody could have been certain for less.
    }
blackbox-course-cost =
    { $cost ->
        [one] That took one point.
       *[other] That took { $cost } points.
    }
