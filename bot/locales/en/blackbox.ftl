# Black Box, for one player or for two who hide stones for each other.

blackbox-name = Black Box
blackbox-about = Send rays into a box and work out where the stones are hidden. For one or two players.
blackbox-usage = Send a ray: { $before }ask 17. Mark a cell: { $before }mark c4. Submit your guess: { $before }guess.
blackbox-rules =
    Goal: find the stones hidden in the box, usually five, for as few points as you can.

    Your turn: send a ray into the box at an entry on the edge. The answer shows what became of it. Entries are numbered clockwise from the top left.

    A ray runs straight on. It reacts to the next cell ahead and to the cells beside that one:
    Stone in the next cell: a hit (target). The ray ends.
    Stone on one side of the next cell: the ray turns away before it gets there.
    Stones on both sides: an accident (star). The ray ends. On entry, one stone is enough.
    If nothing stops it, the ray comes out, and both ends show the same sign.

    Points: each answer on the edge costs one point, so a ray that comes out costs two. An entry that is already answered costs nothing.

    Marks are free notes of suspected stones. Answers that do not fit them get an exclamation mark.

    End: your marks are your guess. Once you submit it, each wrong stone costs five points. With too few marks, each stone not found is wrong. With too many, each mark without a stone is. For five stones, 16 points is good.

    Cells are named by column and row: a1 is top left. Type unmark c4 to remove a mark, clear to remove all. Entries also have names by side: T3 and ask B3 count from the left, L3 and R3 from the top.

    Two players: one hides the stones, the other seeks, then they swap. The lower total wins. If your clock runs out, you lose. It is a draw if your opponent can no longer win. Before your first move, the game is aborted instead.

blackbox-seat-0 = Seek first
blackbox-seat-1 = Hide first
blackbox-role-hider = hides
blackbox-role-seeker = seeks
blackbox-waits-hider = The stones are still being hidden.
blackbox-waits-seeker = The seeker is still searching.
blackbox-challenge-side = { $name } chose: { $side }.
blackbox-mark-0 = ⚪
blackbox-mark-1 = ⚫

blackbox-group-ask = ask
blackbox-group-mark = mark
blackbox-group-hide = hide

blackbox-option-mode = Players
blackbox-option-mode-solo = One: random stones
blackbox-option-mode-hide = Two: hide stones for each other
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
blackbox-option-fair = Boxes
blackbox-option-fair-yes = Always solvable without guessing
blackbox-option-fair-no = Any, even if a stone must be guessed

blackbox-error-no-entry = There is no entry { $entry }. Entries are numbered 1 to { $last }, clockwise from the top left corner.
blackbox-error-already-asked =
    { $answer ->
        [T] Entry { $entry } is already answered: a hit.
        [U] Entry { $entry } is already answered: an accident.
       *[other] Entry { $entry } is already answered: the ray comes out at { $answer }.
    }
blackbox-error-marked = { $square } is already marked. { $before }unmark { $square } removes the mark.
blackbox-error-not-marked = There is no mark on { $square }.
blackbox-error-no-marks = There are no marks to clear.
blackbox-error-guess-cells = You guess the cells that are marked. Mark them first, for example { $before }mark b2, then type { $before }guess.
blackbox-error-box-closed = The stones are hidden and stay where they are. Now you can ask, mark and guess.
blackbox-error-still-hiding = Hide your stones first: { $before }hide a2 for each one, then { $before }ready.
blackbox-error-not-all-hidden = The box needs exactly { $stones } stones. Hide the rest, then choose “{ blackbox-button-ready }”.
blackbox-error-not-determined = A stone could lie elsewhere without changing any answer. Your own board says which one.
blackbox-error-all-hidden = All { $stones } stones are hidden. Choose “{ blackbox-button-ready }”, or take one out first.
blackbox-error-hidden-there = One of your stones is already there. Choose another cell.
blackbox-error-nothing-hidden = None of your stones is there. Choose a cell with a stone.

blackbox-effect-guess =
    { $count ->
        [0] ends the search without a mark
        [one] ends the search with 1 mark
       *[other] ends the search with { $count } marks
    }
blackbox-caution-too-few =
    { $count ->
        [0] You have no marks yet
        [one] You have only 1 mark
       *[other] You have only { $count } marks
    }, but there are { $stones } stones. Each missing mark costs as much as a wrong one: at least { $points } points. Submit anyway?
blackbox-caution-too-many =
    You have { $count } marks, but there are only { $stones } stones. { $wrong ->
        [one] At least one mark
       *[other] At least { $wrong } marks
    } must be wrong: { $points } points or more. Submit anyway?

blackbox-caution-contradiction =
    { $count ->
        [one] One answer contradicts
       *[other] { $count } answers contradict
    } your marks, so they cannot all be right. Submit anyway?

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
        [one] , { $stones } for 1 wrong or missing stone
       *[other] , { $stones } for { $wrong } wrong or missing stones ({ $each } each)
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
        [0] Hide { $stones } stones for { $seat ->
            [0] { $second }
           *[1] { $first }
        } to find{ $leg ->
            [1] , then you swap
           *[other] { "" }
        }. Choose a cell for the first stone
       *[other] Hidden { $hidden } of { $stones }: { $left ->
            [0] choose “{ blackbox-button-ready }”, or take a stone out
           *[other] choose a cell for the next stone
        }
    }
blackbox-fact-elsewhere = All stones are hidden, but no question could tell { $stones } from { $cells }. Take a stone out and hide it elsewhere
blackbox-fact-undetermined = No question could have told { $stones } from { $cells }
blackbox-fact-closed =
    { $seat ->
        [0] { $first } hides { $stones } stones for { $second } to find
       *[1] { $second } hides { $stones } stones for { $first } to find
    }{ $leg ->
        [1] , then they swap
       *[other] { "" }
    }

# After a guess, the board shows the stones instead.
blackbox-board-last =
    { $verb ->
        [guess] { "" }
        [ask] Last ray: { $what }
        [mark] Last move: { $what } marked
        [unmark] Last move: mark on { $what } removed
        [clear] Last move: all marks removed
        [hide] Last move: stone hidden on { $what }
        [unhide] Last move: stone on { $what } taken out
       *[other] Last move: { $move }
    }
blackbox-reason-guessed = Guess submitted. The box is open.
blackbox-reason-lower-cost = { $winner } wins, { $won } to { $lost } points (fewer is better).
blackbox-reason-equal-cost = Draw: { $first } and { $second } have { $won } points each.

blackbox-ending-resigned-alone = Resigned. All stones count as missed.
blackbox-ending-timeout-alone = Out of time. All stones count as missed.

# Why a move is good. Each text follows one of the hints below.

blackbox-because-parts = the answer should rule out about { $percent }% of the layouts
blackbox-because-settles = any answer will reveal the whole box
blackbox-because-known = there is nothing left to find out
blackbox-because-risk =
    { $points ->
        [one] another ray would cost more than the one point you risk
       *[other] another ray would cost more than the { $points } points you risk
    }
blackbox-because-certain = a stone must be there
blackbox-because-likely = the chance of a stone there is { $percent }%
blackbox-because-empty = no stone can be there
blackbox-because-unlikely = the chance of a stone there is only { $percent }%
blackbox-because-hides = rays tell little about a stone there
blackbox-because-hidden = all your stones are hidden

# Cell labels for screen readers.

blackbox-cell-hit = hit
blackbox-cell-accident = accident
blackbox-cell-through = comes out at { $entry }
blackbox-cell-marked = marked
blackbox-cell-stone = your stone

# The picture in words, for screen readers.

blackbox-alt-box = Black Box, { $size } by { $size }, { $stones } stones.
blackbox-alt-leg = Round { $leg } of two.
blackbox-alt-hiding = The stones are still being hidden.
blackbox-alt-hidden =
    { $count ->
        [0] You are hiding. No stones so far.
       *[other] You are hiding. Stones so far: { $cells }.
    }
blackbox-alt-former = Previous search:
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
blackbox-alt-stones = Stones: { $cells }. Marked correctly: { $found }.
blackbox-alt-cost = Points: { $count }.
blackbox-alt-unasked =
    { $count ->
        [0] All entries are answered.
       *[other] Entries left to ask ({ $count }): { $entries }.
    }

# Answers in lists of moves. The others are numbers.
blackbox-answer-t = hit
blackbox-answer-u = accident

# Words in the picture.
blackbox-picture-start =
    Choose a number on the edge
    to send a ray into the box.
blackbox-picture-hit = hit
blackbox-picture-accident = accident
blackbox-picture-through = comes out here
blackbox-picture-doubt = does not fit
blackbox-picture-point = point
blackbox-picture-points = points
blackbox-picture-marks = marked
blackbox-picture-found = found
blackbox-picture-stones = stones

# Buttons for steps that have no place in the picture.
blackbox-button-private = Hide stones
blackbox-button-guess = Submit
blackbox-button-clear = Clear marks
blackbox-button-ready = Ready

# Names of the command and words of the notation. The first one is shown.
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

# Words to type for options and choices. The first one is shown. Numbers need none.
blackbox-typed-mode = players
blackbox-typed-mode-solo = alone solo
blackbox-typed-mode-hide = hide
blackbox-typed-size = size
blackbox-typed-stones = stones
blackbox-typed-fair = fair
blackbox-typed-fair-yes = yes
blackbox-typed-fair-no = no

# Hints, before the reason. $what is an entry or a cell.

blackbox-hint-ask = I would ask at { $what }
blackbox-hint-mark = I would mark { $what }
blackbox-hint-unmark = I would remove the mark on { $what }
blackbox-hint-clear = I would clear all marks
blackbox-hint-guess = I would submit the guess now
blackbox-hint-hide = I would hide a stone on { $what }
blackbox-hint-unhide = I would take out the stone on { $what }
blackbox-hint-ready = I would keep these stones

# More about a hint: where the search stands, what the question leaves, and what it costs. $count
# and $left are numbers of layouts. Large ones are rounded.

blackbox-advice-possible =
    { $count ->
        [one] Only one layout is possible now.
       *[other] { $count } layouts are still possible.
    }
blackbox-advice-possible-many = About { NUMBER($count, useGrouping: "true") } layouts are still possible.
blackbox-advice-possible-sampled = Based on a sample, about { NUMBER($count, useGrouping: "true") } layouts are still possible.
blackbox-advice-best =
    { $counted ->
        [exactly] { $count } layouts are possible now.
        [sampled] Based on a sample, about { NUMBER($count, useGrouping: "true") } layouts are possible now.
       *[roughly] About { NUMBER($count, useGrouping: "true") } layouts are possible now.
    } After { $entry }, { $left ->
        [one] only one
       *[other] about { NUMBER($left, useGrouping: "true") }
    } should be left. The rest of the search should cost { $cost ->
        [one] one point
       *[other] { $cost } points
    }.
blackbox-advice-as-good = Just as good: { $entries }.
blackbox-advice-dearer =
    { $cost ->
        [one] More expensive: { $entries }, at one point.
       *[other] More expensive: { $entries }, at { $cost } points.
    }

# The analysis of a search.

blackbox-course-whose =
    Search by { $seat ->
        [0] { $first }
       *[1] { $second }
    }:
blackbox-course-step =
    { $entry } → { $answer ->
        [T] hit
        [U] accident
       *[other] { $answer }
    }: { $left ->
        [one] one layout left.
       *[other] { $left } layouts left.
    }
blackbox-course-step-many =
    { $entry } → { $answer ->
        [T] hit
        [U] accident
       *[other] { $answer }
    }: about { NUMBER($left, useGrouping: "true") } layouts left.
blackbox-course-step-unknown =
    { $entry } → { $answer ->
        [T] hit
        [U] accident
       *[other] { $answer }
    }
blackbox-course-avoidable = { $entry } was the first question that revealed nothing new.
blackbox-course-contradicted = The answer at { $entry } already contradicted the guess.
blackbox-course-refuting = { $entry } would have shown that the guess was wrong.
blackbox-course-best =
    { $points ->
        [one] The search cost { $cost } points. The minimum was one, by asking { $entries }.
       *[other] The search cost { $cost } points. The minimum was { $points }, by asking { $entries }.
    }
blackbox-course-best-reached =
    { $cost ->
        [one] The search cost one point, the minimum to be certain.
       *[other] The search cost { $cost } points, the minimum to be certain.
    }
blackbox-course-cost =
    { $cost ->
        [one] The search cost one point.
       *[other] The search cost { $cost } points.
    }
