# The house's own words. A game's words are in its own file.

language-name = English
# What it is called in any language, when somebody asks for it by name.
language-words = english englisch

# --- Boards and challenges

board-your-turn = Your turn.
board-turn = { $name } to move.
hint-move = I would play { $move }
hint = { $best }.
hint-why = { $best }: { $why }.
board-thinking = { $name } is thinking …
board-in-private = Press “{ $button }”: nobody else may see what you do now.
board-out-of-reach = I cannot reach { $name } at the moment. As soon as they let me in again, I show them the board.
board-due = Time until { $when }.
board-bank = { $name } has { $time } left
board-bank-runs = { $name } has at most { $time } left
board-given-back = I was away for { $time }; that time was given back.
board-idle = Nothing has happened here for a long time. If that stays so for another week, the match ends and counts for nobody.
board-kept = The match goes on.
board-too-short = That was too short to change a rating.
board-met-too-often = That changes no rating: between the same two, { $most } matches a day count.
board-reratings = Rating: { $sides }.
board-rerating = { $name } { $before } → { $after }
board-last = Last move: { $move }
board-analysed = Looking back: { $done } of { $total } moves …
board-analysis-given-up = Looking back got stuck after { $done } of { $total } moves. Ask again, and I go on.
offer-draw = { $name } offers a draw.
offer-draw-declined = { $name } declines the draw and plays on.
offer-abort = { $name } would like to call this match off.
offer-abort-declined = { $name } would rather play on.
offer-clock = { $name } would like another clock: { $clock }.
offer-clock-declined = { $name } would rather keep the clock as it is.
offer-clock-accepted = { $name } agrees: from now on { $clock }, and both begin anew.
offer-clock-accepted-none = { $name } agrees: from now on there is no clock.
offer-takeback = { $name } would like to take back { $moves }.
offer-takeback-declined = { $name } would rather let the moves stand.
offer-takeback-accepted = { $name } agrees: it is taken back, and { $other } moves again.
offer-draw-withdrawn = { $other } does not offer a draw any more.
offer-abort-withdrawn = { $other } plays on after all.
offer-clock-withdrawn = { $other } does not ask for another clock any more.
offer-takeback-withdrawn = { $other } lets the moves stand after all.
ending-resigned = { $winner } wins: { $name } gave up.
ending-resigned-alone = Given up.
ending-timeout = { $winner } wins: { $name } ran out of time.
ending-timeout-draw = A draw: { $name } ran out of time, and the other side had no way left to win.
ending-timeout-alone = Out of time.
ending-agreed = A draw, as both agreed.
ending-aborted = I had to end this match: its rules have changed since it began. It counts for nobody.
ending-aborted-by = { $name } called this match off. It counts for nobody.
ending-called-off = This match was called off, as both agreed. It counts for nobody.
ending-abandoned = Nobody played on, so this match counts for nobody.
ending-unplayed-by = { $name } gave up right at the beginning, so this match counts for nobody.
ending-abandoned-by = { $name } did not come back, so this match counts for nobody.
ending-closed = This match was closed without a result, by those who look after its place. It counts for nobody.
ending-solved = Right, that is the best move!
ending-missed = Not this time.
alt-choices = To choose from: { $choices }.
alt-missed = What was to be found: { $board }
alt-stopped = { $game }, the match is over.
name-erased = Former player

challenge-open = { $name } would like to play { $game }. Who joins in?
challenge-to = { $name } challenges { $opponent } to { $game }.
challenge-over-open = { $name } wanted to play { $game }.
challenge-over-to = { $name } challenged { $opponent } to { $game }.
join-line = /join { $code }
challenge-code =
    Hand it on to anybody:
    { $line }
challenge-unrated = Unrated
challenge-rated = Rated
challenge-takebacks = Moves may be taken back
challenge-hints = With hints, unrated
clock-none = as much as you like
clock-a-turn = { $time } a turn
span-d =
    { $count ->
        [one] 1 day
       *[other] { $count } days
    }
span-h = { $count } h
span-m = { $count } min
span-s = { $count } s
challenge-side = { $name } would play { $side }.
challenge-declined = Declined.
challenge-withdrawn = Withdrawn.
challenge-out-of-reach = I cannot reach { $name }: I may not write to them in private. Challenge them where you both are.
challenge-expired = Nobody answered in time.
challenge-which-game = Which game?
which-match = Which match do you mean?
which-match-for = { $what }: which match do you mean?
which-offer = Which of these do you mean?
which-more = … and { $count } more: name one by its number, as in /board #12.

button-accept = Accept
button-join = Join in
button-keep = Play on
button-decline = Decline
button-withdraw = Withdraw
button-withdraw-of = Withdraw ({ $name })
button-withdraw-what-of = { $what } ({ $name })
button-draw-decline = No draw
button-abort-decline = Play on
button-clock-decline = Keep the clock
button-takeback-decline = No takeback
button-rules = Rules
button-moves = Moves
button-resign = Resign
button-give-up = Give up
button-draw = Offer a draw
button-draw-withdraw = Withdraw the draw offer
button-abort-withdraw = Play on after all
button-clock-withdraw = Withdraw the clock offer
button-takeback-withdraw = Withdraw the takeback
button-draw-settled = Draw: { $how }
button-abort-settled = Calling it off: { $how }
button-clock-settled = Clock: { $how }
button-takeback-settled = Takeback: { $how }
settled-accepted = agreed
settled-declined = declined
settled-withdrawn = withdrawn
button-kept = You play on
button-draw-accept = Accept the draw
button-abort = Ask to call it off
button-abort-accept = Call it off
button-abort-sure = Yes, call it off
button-abort-free = Call it off (counts for nobody)
button-clock-accept = Accept the clock
button-clock = Another clock
button-takeback = Ask to take a move back
button-takeback-accept = Allow the takeback
button-resign-sure = Yes, give up
button-resign-not = No, play on
button-close-sure = Yes, close it
button-close-not = No, let them play
button-hint = Hint
button-play-hint = Play it
button-sure = Yes, play it
button-form = Type them
form-together = Up to { $count } in one line
button-cancel = Cancel
button-again = Another match
button-again-alone = Another one
button-level-up = One level up: { $name }
button-level-down = One level down: { $name }
button-private = In private
button-flip = Flip
button-alt = In words
button-start-alone = Start
button-start-open = Who plays with me?
button-play-computer = Play { $name }
button-level = Level { $level } of { $most }
button-play-start = Play here
button-play-apart = In private

abort-sure = Call this match off? It has just begun, so you need not ask, and it counts for nobody.
resign-sure = Give this match up? Then { $opponent } wins.
resign-early = It has just begun: you may as well call it off, without asking, and then it counts for nobody.
resign-asked = { $opponent } has asked to call it off: agree, and it counts for nobody.
resign-alone-sure = Give up? It counts as if you had guessed nothing.
resign-unplayed-sure = Give this match up? No move of yours stands yet, so it counts for nobody.
said-aloud = Everybody here has read that, so I have not played it. Do it in private, where nobody else looks.
direct-title = Azumaya

notice-turn = Your turn: { $game }, match { $match }.
notice-joined = { $name } plays { $game } with you, match { $match }.
notice-challenged = You are challenged to { $game }.
notice-declined = Your challenge to { $game } was declined.
notice-offered = { $game }, match { $match }: { $how }
notice-refused = { $game }, match { $match }: { $how }
notice-agreed = { $game }, match { $match }: { $how }
notice-idle = { $game }, match { $match }: do you still play? If nobody does within a week, it ends and counts for nobody.
notice-reminded = { $game }, match { $match }: your turn, and { $how } left.
notice-over = { $game }, match { $match }, is over. { $how }
notice-unsure = The board may not have arrived.
notice-missing = The board is not here any more.
button-show-again = Show it again
host-says = A word from whoever runs this house: { $text }
button-show-board = Show the board

menu-title = What shall we play?
menu-computer = { $game } with { $name }
menu-puzzle = Puzzle · { $game }
menu-puzzle-about = One move is the best. Do you see it?
menu-invite = To play with others, add me to a group and type { $command } there.
button-invite = Add me to a group
start-alone =
    { $platform ->
        [discord] Choose and begin. Next time, { $command } with an option begins at once.
       *[other] Choose and begin. Next time { $command } new begins at once.
    }
start-two =
    { $platform ->
        [discord] Ask who plays, or challenge somebody: { $command }, option “user”.
       *[other] Ask who plays, or challenge somebody: { $command } @name
    }

# The computer: a name for each of its levels, as it is shown and as it can be typed, and how well it
# plays.
computer-1 = Snail
computer-2 = Hedgehog
computer-3 = Squirrel
computer-4 = Fox
computer-5 = Owl
computer-called-1 = snail
computer-called-2 = hedgehog
computer-called-3 = squirrel
computer-called-4 = fox
computer-called-5 = owl
computer-about-1 = Knows the rules, and not much more
computer-about-2 = Plays along nicely, and overlooks things
computer-about-3 = Looks ahead, and makes a fair match
computer-about-4 = Hard to beat
computer-about-5 = As strong as I can be

computer-waits = You have this match on already, and have not moved in it yet.
button-go-on = Go on with it
button-one-more = Begin another one

start-with-others = With others · { $what }
start-side = Your side
start-side-any = By lot
start-rated = Rated
start-yes = yes
start-no = no
start-takebacks = Takebacks
start-hints = Hints, unrated
start-clock = Time
start-computer = { $name } ({ $level })
start-whom = Who plays with you?
start-whom-anybody = Anybody who joins in
start-whom-code = Whoever gets the code
start-where = Here, where everybody may look on, or in our private conversation?

button-back = ‹ Back
button-more = More ›
button-ladder-month = This month
button-ladder-all = All time
button-ladder-place = Only here
button-ladder-community =
    { $platform ->
        [discord] Whole server
        [telegram] Whole group
       *[web] All rooms
    }
button-ladder-overall = Everywhere
button-move-back = ‹ Move
button-move-on = Move ›

next-none = No board waits for you just now.
matches-title = Your matches
matches-none = You have no match on at the moment. How about /play?
matches-more = … and { $count } more.
matches-my-turn = your turn
matches-their-turn = waiting for { $name }
matches-challenged = you are challenged
matches-challenging = not answered yet
matches-open = open to anybody: { $line }
button-board = Board
button-played = Finished: { $count }
played-title = Finished matches
played-none = You have finished no match yet.
past-start = Before the first move
past-evaluation = Chances: { $first } ({ $percent } %), { $second } ({ $other } %)
past-better = Better for { $name } ({ $percent } %): { $line }
analysis-title = Looking back · { $game }
analysis-under-way = I am looking back on this match: { $done } of { $total } moves. Its board says how far I am, and you can ask again at any time.
analysis-waits =
    { $count ->
        [one] Another match is before it.
       *[other] { $count } others are before it.
    }
analysis-once-more = Last time I got stuck on the way. I am trying once more, from where I was: { $done } of { $total } moves. Its board says how far I am.
analysis-side = { $name } ({ $percent } %)
analysis-accuracy = Accuracy: { $sides }
analysis-moments = What turned it, with the chances of whoever moved, before and after:
analysis-moment =
    { $ply }. { $name } played { $move }{ $swing ->
        [over] , which gave the lead to { $other }
        [away] , and the lead was gone
       *[behind] { " " }and fell behind
    } ({ $before } % → { $after } %). Better, and how it would go on: { $line }
analysis-no-moments = No single move decided it.
analysis-about = Who was likelier to win, move by move
analysis-ahead = { $name } ahead
analysis-axis = Move
analysis-legend = Turning point
analysis-alt = the chances of { $first } against { $second }, { $begin } % at the start, between { $least } % and { $most } % on the way, { $end } % in the end.
button-analyse = Looking back
button-analyse-again = How far is it?
puzzle-title = Puzzle
puzzle-ask = Find the best move for { $side }.
puzzle-played = You played { $move }. The board shows what would have been best.
puzzle-line = Best: { $line }
puzzle-chances = Chances { $best } %, with the next best move { $second } %
puzzle-rating = Your puzzle rating: { $value } ({ $change }), the puzzle’s { $puzzle }
puzzle-sure = Shall I tell you? Then it counts as not solved.
button-solution = Tell me
button-solution-sure = Yes, tell me
button-puzzle = Next puzzle
button-moment = Move { $ply }
moves-none = No move yet.
moves-secret =
    { $count ->
        [one] 1 secret move
       *[other] { $count } secret moves
    }
moves-beginning = At the beginning:

leaderboard-title = Leaderboard
leaderboard-of = Leaderboard: { $game }
leaderboard-alone = { $game }, alone
leaderboard-empty = Nobody has finished a match that counts here yet. Be the first: /play
leaderboard-place = here
leaderboard-overall = everywhere
leaderboard-community =
    { $platform ->
        [discord] on this server
        [telegram] in this group
       *[web] in all rooms
    }
leaderboard-all = All time, { $where }
leaderboard-month = This month, { $where }
leaderboard-line =
    { $rank }. { $name }: { $value } ({ $count ->
        [one] 1 match
       *[other] { $count } matches
    })
leaderboard-points =
    { $amount ->
        [one] 1 point
       *[other] { NUMBER($amount, maximumFractionDigits: 1) } points
    }
leaderboard-average = { NUMBER($amount, minimumFractionDigits: 1, maximumFractionDigits: 1) } points on average
leaderboard-average-short = avg. { NUMBER($amount, minimumFractionDigits: 1, maximumFractionDigits: 1) }
leaderboard-best = best { $best }, { $streak } solved in a row
leaderboard-count = { $count } played
leaderboard-too-few =
    { $count ->
        [one] Nobody is listed yet: it takes a match that counts.
       *[other] Nobody is listed yet: it takes { $count } matches that count.
    }
leaderboard-missing =
    { $count ->
        [one] { $name }: one more match to be listed.
       *[other] { $name }: { $count } more matches to be listed.
    }
leaderboard-hidden = You are in no list, as you like it: /settings
leaderboard-minimum =
    { $count ->
        [one] Listed from the first match that counts.
       *[other] Listed from { $count } matches on.
    } What counts is rated matches; in Black Box alone, boxes that can be solved without luck.
leaderboard-points-are = A win is a point, a draw half of one.
rating-unsure = “?” means not certain yet: few matches, or none for a long time.

stats-title = Statistics of { $name }
stats-none = No finished matches yet.
stats-versus = { $game }: { $wins } won, { $draws } drawn, { $losses } lost ({ $rate } %)
stats-computer = { $game } with { $name }: { $wins } won, { $draws } drawn, { $losses } lost
stats-streak =
    { $going ->
        [0] Most wins in a row: { $most }
        [1] Most wins in a row: { $most }
       *[other] { $going } wins in a row; the most were { $most }
    }
stats-streak-most = { $most } wins in a row, the most yet
stats-rating =
    Rating, { $game }{ $which ->
        [none] { "" }
       *[other] { " " }({ $which })
    }: { $value } ({ $count ->
        [one] 1 match
       *[other] { $count } matches
    })
stats-puzzles = Puzzles, { $game }: rating { $value }, { $solved } of { $count } solved
stats-alone = { $game }, alone: { NUMBER($average, minimumFractionDigits: 1, maximumFractionDigits: 1) } points on average, best { $best }, { $streak } solved in a row (most { $most }), { $count } played
stats-longest =
    Longest match: { $game }, { $count ->
        [one] 1 move
       *[other] { $count } moves
    }
stats-opening = Likes to begin { $game } with { $move } ({ $times } of { $count })
stats-opponent = Against { $name }: { $wins } won, { $draws } drawn, { $losses } lost
stats-against-you = You against { $name }: { $wins } won, { $draws } drawn, { $losses } lost
stats-curve = { $name } · { $game }
stats-curve-at =
    match { $count }
    { $day }
stats-curve-alt = the rating from { $first } to { $last }

rules-which = The rules of which game?

language-which = Which language?
language-changed = From now on I speak English with you.

settings-title = Your settings
settings-text = Press a setting to change it.
settings-theme = Colours
settings-theme-auto = as the app
settings-theme-light = light
settings-theme-dark = dark
settings-pings = Pings
settings-pings-auto = as usual ({ $usual })
settings-pings-always = at every turn
settings-pings-away = when away
settings-pings-never = never
settings-dots = Dots on legal moves
settings-dots-on = shown
settings-dots-off = hidden
settings-side = Board turned to my side
settings-side-first = no
settings-side-own = yes
settings-threats = Threats on the board
settings-threats-off = hidden
settings-threats-on = marked
settings-record = Leaderboards and statistics
settings-record-everybody = for everybody
settings-record-me = for me alone
settings-notation = Notation of { $game }
block-done = { $name } is blocked: no challenges from them, no rematches, and none of their lines where I show lines. A match that is on goes on. /unblock takes it back.
unblock-done = { $name } is not blocked any more.
blocks-title = Blocked
blocks-text = Press a name to unblock it.
blocks-more = … and { $count } more.
blocks-none =
    { $platform ->
        [discord] You have blocked nobody. If somebody bothers you: /block, option “user”.
       *[other] You have blocked nobody. If somebody bothers you: /block @name
    }
button-unblock = Unblock { $name }
button-unblock-erased = { $days ->
    [0] Unblock somebody erased, blocked today
    [one] Unblock somebody erased, blocked yesterday
   *[other] Unblock somebody erased, blocked { $days } days ago
}
settings-blocked = Blocked: { $count }
here-title = Settings of this place
quiet-title = Quiet hours
quiet-off = none
quiet-hours = { $begins } to { $ends }
quiet-none = I remind you at any hour when your time in a match is running out.
quiet-set = From { $begins } to { $ends } by the clocks of { $town } (where it is { $now }). I remind you of nothing then, unless your time in a match ends before they do.
quiet-where = Where do you live? Choose a town that has your time, or type one: { $command } Vienna
button-quiet-elsewhere = Another town
button-quiet-off = No quiet hours

holiday-title = Holiday
holiday-off =
    You are not on holiday. Of { $most } days a year you have { $days ->
        [one] one
       *[other] { $days }
    } left. While you are away, clocks that count days stand still for you, and your opponents see until when. A holiday counts at least one day.
holiday-on =
    You are on holiday until { $day }: clocks that count days stand still for you. After it { $days ->
        [0] no days are left this year
        [one] one day is left
       *[other] { $days } days are left
    }.
button-holiday-end = I am back
board-away = { $name } is on holiday until { $day }.
settings-holiday = Holiday: until { $day }
settings-language = Language
settings-language-auto = that of the house
settings-threads = A thread for each match
settings-threads-off = no
settings-threads-on = yes
settings-threads-only = no, play in threads and topics only
here-begin = Who may begin: { $who }
here-begin-title = Who may begin matches here?
here-begin-text = Everybody may join in. Those who look after this place may always begin.
begin-everybody = everybody
begin-managers = those who look after this place
begin-role = a role
here-zone = Time here: { $town }
here-zone-title = By which clock do you live here?
here-zone-text = By it boards say when somebody's time ends, where an app does not tell everybody in their own time. Choose a town that has your time, or type one: { $command } zone Vienna
here-games = Games: { $count } of { $all }
here-games-title = What may be played here?
here-game-on = { $game }: yes
here-game-off = { $game }: no
here-close = Close a match
here-around = What is not set here is as in the channel or group around it.
here-back = Back to the settings
close-which = Which match is to be closed, without a result?
close-sure = Close this match without a result? { $match }. It counts for nobody; both are told, and all here are told who closed it.
close-not-own = Those that you play yourself are not among them.
close-done = Match #{ $match } ({ $game }) is closed without a result, by { $who }.

button-sessions = Browsers: { $count }
sessions-title = Browsers that know you
sessions-unknown = A browser
sessions-this =
    { $number }. { $browser } (this one), { $made ->
        [0] since today
        [one] since yesterday
       *[other] for { $made } days
    }
sessions-other =
    { $number }. { $browser }, { $made ->
        [0] since today
        [one] since yesterday
       *[other] for { $made } days
    }, last used { $seen ->
        [0] today
        [one] yesterday
       *[other] { $seen } days ago
    }
sessions-more = … and { $count } more.
button-session-end = End { $number }: { $browser }
button-sessions-end = End all others
button-another = Let another browser in
another-title = This is me, too
another-text = In the other browser, open the link, or press “I have a code from another browser” there and type { $code }. It works once, for { $minutes } minutes. Give it to nobody: whoever has it is you.
another-here-title = Another browser of yours?
another-here-text = This code was made in a browser that knows you. Before anything changes I ask once more.
another-here-link = Go on

# --- One's own data

privacy-title = Your data
privacy-what = I store your name and what this platform calls you, your language and settings, your matches with their moves and results, and which puzzles you have tried. Good positions of matches become puzzles for others, without names. On the web table also the lines that you write, how far you have read, and in which browsers I know you, by a cookie that does nothing else.
privacy-seen = Whoever is where a match is shown sees who plays it; leaderboards show names and results. Nobody else is given anything, nothing about you is measured, and there is no advertising.
privacy-long = It stays until you erase it; at the web table, somebody who never plays is forgotten after a while. A browser that you leave is forgotten after 30 days, and one that you do not use for a year as well.
privacy-own = You can have everything as a file, or erase it at any time. One thing outlasts that: if somebody on Discord or Telegram has blocked you, or has not taken up your challenges of the last day, I keep a keyed hash of your number there, so that this still holds if you come back. It goes with the block, or after a day.
privacy-host = { $name } runs this house.
privacy-host-unnamed = Whoever runs this house has not left a name here. Ask those who brought me to you.
privacy-contact = Questions go to { $contact }.
privacy-page = All of it in detail: { $url }
privacy-file = Here is everything that I have stored of you.
button-export = My data as a file
button-erase = Erase me
button-erase-sure = Yes, erase { $name }
button-erase-not = No, I stay
erase-title = Shall I erase you?
erase-text =
    { $platform ->
        [web] Your name, settings and browsers go
       *[chat] Your name and settings go
    }, and nobody can bring them back. A block of you on Discord or Telegram holds even if you come back.
erase-running =
    { $count ->
        [one] The match that you are playing is given up.
       *[other] The { $count } matches that you are playing are given up.
    }
erase-played =
    { $count ->
        [one] The match that you have finished stays, without your name.
       *[other] The { $count } matches that you have finished stay, without your name.
    }
erase-said =
    { $count ->
        [one] The line that you wrote disappears.
       *[other] The { $count } lines that you wrote disappear.
    }
erase-kept = What a chat keeps by itself, such as your own messages there, only you can delete.
erased = You are erased. Thank you for playing; whenever you come again, you are somebody new.

# --- Commands

# Words that are typed in the place of names, choices and moves; any language’s words do.

word-new = new
word-everywhere = everywhere
word-month = month
word-all = all
word-rated = rated
word-unrated = unrated
word-takebacks = takebacks takeback
word-hints = hints hint
word-clock = clock time
word-computer = computer ai
word-level = level
word-untimed = untimed unlimited
word-from = from
word-until = to until till
word-oclock = oclock o'clock
word-none = none off
word-back = end back
word-span-d = d day days
word-span-w = w week weeks
word-span-h = h hour hours
word-span-m = m min minute minutes
word-span-s = s sec second seconds
word-first = first
word-second = second

# What commands are called when they are typed, one word or several; any language’s words do.

command-play = play games
command-challenge = challenge
command-accept = accept
command-join = join
command-decline = decline
command-withdraw = withdraw
command-board = board
command-next = next
command-moves = moves
command-clock = clock
command-draw = draw
command-hint = hint
command-analyse = analyse analyze
command-puzzle = puzzle
command-takeback = takeback undo
command-abort = abort
command-resign = resign
command-rematch = rematch
command-matches = matches
command-leaderboard = leaderboard ranking
command-stats = stats statistics rating elo
command-rules = rules
command-help = help commands
command-language = language
command-quiet = quiet
command-holiday = holiday vacation
command-settings = settings options
command-block = block
command-unblock = unblock
command-privacy = privacy
command-here = here

help-title = How it works
help-text =
    { $platform ->
        [discord] Type a command and choose its options, or press a button.
        [telegram] Type a command, or press a button.
       *[web] Type a command, press a button, or click into the picture.
    }
button-help-all = All commands
help-play = shows what can be played
help-challenge = asks somebody, or everybody, for a match
help-accept = accepts a challenge, or what is offered to you
help-join = takes up a challenge that was handed to you
help-decline = declines a challenge or an offer
help-withdraw = takes back a challenge or an offer of yours
help-board = shows your board at the bottom
help-next = shows the board that has waited longest for you
help-moves = lists the moves of a match
help-clock = offers another clock for a match, or accepts one
help-draw = offers a draw, or accepts one
help-hint = recommends a move, where the match allows it
help-analyse = looks back on a match that is over: what decided it, and how well you played
help-puzzle = shows a position with one best move, for you to find; how well you do is rated
help-takeback = asks to take back your last move, or allows the other side to
help-abort = calls a match off: alone at its beginning, later if both agree
help-resign = gives a match up; before your first move it counts for nobody
help-rematch = another match like your last one here, with the sides changed
help-matches = lists your matches, also those that are over
help-leaderboard = who plays best
help-stats = your record, or somebody's
help-rules = explains a game
help-help = what matters first; behind it all commands
help-language = the language in which I answer you
help-quiet = hours in which I do not remind you of matches
help-holiday = days on which your clocks stand still
help-settings = colours, dots, side of the board
help-block = hear nothing more of somebody
help-unblock = takes a block back
help-privacy = what is stored of you; have it, or erase it
help-here = rules and settings of this place; close a match
help-new = begins a new match
help-unrated = changes no rating
help-takebacks = moves may be taken back
help-hints = both may be helped; unrated
help-everywhere = people of other places, too, for you alone
help-month = what was this month
help-all = whatever there was

help-computer-title = The computer
help-computer = It plays with you at once, in every game: { $before }computer, or at a level, { $before }computer 3. That is unrated, without a clock, and { $hint } shows you a good move. Its levels:
help-computer-level = { $level }. { $name }: { $about }

# What is shown behind the help of one command.

example-clock = For example: { $command } 3d (3 days a turn), { $command } 10m+5s (10 minutes for the match, 5 seconds more with each turn), { $command } none
example-holiday = For example: { $command } 2w, { $command } until 24 Dec, { $command } end
example-quiet = For example: { $command } 22-7 Berlin, { $command } off
example-leaderboard = For example: { $command } othello month, { $command } sogo all everywhere
example-stats = For example: { $command } @name, { $command } othello, { $command } @name othello

argument-game = game
argument-user = @name
argument-move = move
argument-match = number of the match
argument-hours = hours and town
argument-days = days
argument-clock = clock
argument-code = code
argument-language = language
argument-command = command
argument-options = options
argument-people = everywhere
argument-period = month or all

# --- Refusals

error-over = This match is over.
error-not-your-turn = It is not your turn.
error-notation = I do not understand the move “{ $text }”.
error-notation-example = I do not understand the move “{ $text }”. For example: { $example }
error-off-board = There is no { $square } on this board.
error-ambiguous = That could be several moves: { $moves }
error-setup = That is no position of this game.
error-wrong-seat = That is no record of this game.
error-not-notation = That is no record of this game.
error-unknown-option = There is no option “{ $option }”. You can say: { $options }
error-unknown-choice = “{ $value }” does not go with “{ $option }”. You can say: { $choices }
error-option-unknown = I do not know what “{ $word }” should be. You can say: { $options }
error-options-new =
    { $platform ->
        [discord] Options are for a new match: leave the move out, or challenge somebody.
       *[other] Options are for a new match: say “new”, or challenge somebody.
    }
error-options-which-game = Options of which game? There are: { $games }
error-option-ambiguous = “{ $word }” could be several things. Please say which: { $options }

error-stale = The board has moved on since.
error-no-such-match = There is no match #{ $match } here.
error-match-number = I do not know what “{ $word }” means here. A match is called by its number, such as #12.
error-no-match-of = You have no match of { $game } here that could be meant.
error-code-missing = Type the code behind it: /join k7mf-2qtx-9wpa
error-person-gone = They are not here any more.
error-forgotten = You have been erased here. Begin anew, if you like.
error-nothing-stored = I have stored nothing of you, so there is nothing to see or to change here. That begins with your first match.
error-no-such-code = This code or link leads nowhere (any more). Ask whoever gave it to you for a new one.
error-link-unknown = This link leads nowhere (any more). Ask whoever gave it to you for a new one.
error-no-match = You have no match on here. How about /play?
error-no-match-here = You have no { $game } match on here. { $command } starts one.
error-no-offer = There is no such offer any more.
error-offer-own = That is your own offer. The answer is up to them.
error-offer-theirs = Only whoever has offered it can withdraw it.
error-offer-open = You have offered that already. The answer is up to them.
error-offer-answer-first = You have an offer of this kind from the other side. Accept or decline that first.
error-offer-too-soon =
    You have asked for that not long ago. You can ask again { $moves ->
        [one] after the next move
       *[other] after { $moves } more moves, of both sides together
    }.
error-offer-just-agreed =
    You have agreed on that only just now. You can ask again { $moves ->
        [one] after the next move
       *[other] after { $moves } more moves, of both sides together
    }.
error-offer-at-once = Something has changed here just now. If you meant to answer an offer, press again in three seconds.
error-offer-none = Nothing is on offer in this match now.
error-offer-alone = You play this match alone: there is nobody to agree with.
error-takeback-reveals = In this game nothing is taken back: what a move has revealed stays known.
error-takeback-rated = This match is rated, and you agreed on nothing else at its start: what was played stays. A challenge with “takebacks” or “unrated” behind it allows it.
error-takeback-nothing = There is no move of yours yet that could be taken back.
error-rematch-at-once = The match has only just ended here, and another button was in this place. If you meant this one, press it again in three seconds.
error-rematch-terms = { $rematch } asks for another match as the last one was, and takes nothing behind it. For other terms there is { $challenge }.
error-no-rematch = No match of yours has ended here yet. How about /play?
error-match-over = This match is over.
error-not-begun = This match has not begun yet.
error-not-in-match = You are not playing in this match.
error-too-many-together = At most { $most } at once, please.
error-nothing-private = There is nothing for you to do in private now.
error-no-challenge = There is no challenge and no offer for you here.
error-nothing-open = You have no challenge or offer open that could be taken back.
error-challenge-self = You cannot challenge yourself.
error-no-computer = There are no computers in this house. Challenge somebody, or ask who plays.
error-computer-away = Whoever plays for the computer is not in just now. Try again in a few minutes, or challenge somebody.
error-no-computer-for = I cannot play { $game } like this. Challenge somebody, or ask who plays.
error-unknown-level = There is no level “{ $level }”; there are 1 to { $most }.
error-stats-hidden = { $name } keeps to themselves how they have played.
error-no-such-page = There is no page { $page }.
error-stats-house = I only set up the boards; there is nothing to count.
error-quiet-hours = From when until when? For example: { $command } 22-7
error-holiday-days = How many days, or until when? For example: { $command } 2w, { $command } until 24 Dec
error-holiday-never = There are no holidays in this house.
error-holiday-most = It is no more than { $days } days a year.
error-holiday-budget =
    { $days ->
        [0] You have no days of holiday left this year.
        [one] You have only one day of holiday left.
       *[other] You have only { $days } days of holiday left.
    }
error-zone-unknown = I do not know the time in “{ $town }”. Name the capital, or a large town with the same time: { $command } Berlin
error-zone-which = Which of these: { $towns }? For example: { $command } Berlin
error-clock-unknown = There is no clock “{ $clock }”. For each turn: { $days } days, such as 3d. Or for the whole match, with what each turn adds: from 3m+5s to 10d+36h, such as 10m+5s.
error-clock-two = That is more than one clock: { $clocks }. Which one is it to be?
error-clock-same = That is the clock already.
error-clock-which = Which clock? For example: { $command } 3d
error-clock-alone = Who plays alone has as much time as they like.
error-hint-not-agreed = Hints are for matches that were agreed on with hints, and against the computer. Next time: { $command } @name { $word }
error-hint-alone = This one counts, so you are on your own. With hints, and for nobody’s list: { $command } new { $word }
error-hint-not-your-turn = It is not your turn: let the other side think.
error-hint-late = Somebody has moved meanwhile. Ask once more.
error-thinking-busy = Others have asked me before you, and I am still thinking about that. Please try again in a moment.
error-thinking-slow = That takes me longer than usual. Please try again in a moment.
error-thinking-elsewhere = Nobody can think about that for you here: whoever runs this house leaves it to another part of it.
error-thinking-failed = Nothing comes to my mind just now. Please try again.
error-analyse-none = No match of yours has ended here yet. How about /play?
error-analyse-running = This match is still on: I look back when it is over.
error-analyse-empty = Nothing was played in this match.
error-analyse-game = I do not play { $game } like this, so I cannot look back on it.
error-analyse-house = There is nobody in this house who looks back on matches.
error-analyse-busy = I am still looking back on another match for you. One after the other.
error-analyse-puzzle = That was a puzzle: its board says all that there is to say.
error-hint-puzzle = Hints would spoil a puzzle. If you would rather be told: “Tell me”.
error-offer-puzzle = This is a puzzle: there is nobody to agree with.
error-puzzle-here = A puzzle is for you alone: its board is in our private conversation.
error-puzzle-none = I have no new puzzle for you. I find them while I look back on matches ({ $command }): each look may bring one, at once for all who know neither that match nor the look back, and four weeks later for the others.
error-puzzle-none-of = I have no new puzzle of { $game } for you, but of: { $games }
error-puzzle-game = There are no puzzles of { $game }. There are of: { $games }
error-rated-computer = Matches with the computer are never rated.
error-rated-not = So it cannot be rated: hints, and some ways to play, change no rating.
error-clock-computer = With the computer you have as much time as you like.
error-too-late = Time had already run out, so this match is over.
error-challenge-alone = { $game } is played alone this way.
error-challenge-for-other = This challenge is for somebody else.
error-challenge-not-yours = This is not your challenge.
error-accept-own = This is your own challenge; somebody else must accept it.
error-challenge-running = This challenge has been accepted already.
error-challenge-over = This match is over already.
error-challenge-declined = This challenge was declined.
error-challenge-withdrawn = This challenge was withdrawn.
error-challenge-expired = This challenge has expired.
error-challenge-waiting = You have asked that already; it waits for an answer.
error-too-many-challenges =
    { $count ->
        [one] You have a challenge open already. Wait for an answer, or withdraw it.
       *[other] You have { $count } challenges open already. Wait for an answer, or withdraw one.
    }
error-challenged-enough =
    { $name } has not taken up { $count ->
        [one] a challenge
       *[other] { $count } challenges
    } of yours. Try again { $hours ->
        [0] { $minutes ->
            [one] in a minute
           *[other] in { $minutes } minutes
        }
        [one] in an hour
       *[other] in { $hours } hours
    }.
error-takes-no-challenges = { $name } takes no challenges at the moment. Please try again later.
error-you-have-blocked = You have blocked { $name }. /unblock takes it back.
error-block-self = You cannot block yourself.
error-block-house = I cannot be blocked; but I say nothing unless I am asked.
error-not-blocked = You have not blocked { $name }.
error-too-many-matches =
    { $count ->
        [one] You have a match on already. Finish it first, or /resign.
       *[other] You have { $count } matches on already. Finish one first, or /resign.
    }
error-too-many-matches-theirs = { $name } has as many matches on as one person may have. Please try again later.
error-too-many-lines =
    { $minutes ->
        [one] You have written { $count } lines within an hour (a board that you show counts as one). In a minute you can go on.
       *[other] You have written { $count } lines within an hour (a board that you show counts as one). In { $minutes } minutes you can go on.
    }
error-unknown-game = I do not know the game “{ $word }”. There are: { $games }
error-unknown-command = I do not know { $word }. { $help } shows what I know.
error-unknown-command-near = I do not know { $word }. Did you mean { $near }? { $help } shows all that I know.
error-unknown-person = I do not know anybody here called “{ $name }”.
error-unknown-username = I do not know anybody here called “{ $name }”. Answer a message of theirs with your command, choose them from the list that opens behind an @, or write @ and their username.
error-name-no-move =
    { $platform ->
        [telegram] “{ $name }” is no move. To challenge somebody, answer a message of theirs with { $command } new, choose them from the list that opens behind an @, or write @ and their username: { $command } @name
        [discord] “{ $name }” is no move. To challenge somebody: { $command }, option “user”.
       *[other] “{ $name }” is no move. To challenge somebody: { $command } @name
    }
error-challenge-name-game = Say which game, too: /challenge @{ $name } othello. There are: { $games }
error-unknown-language = I do not speak “{ $word }” yet. There are: { $languages }
error-ambiguous-language = “{ $word }” could mean several. Which language do you mean: { $languages }?
error-unknown-value = “{ $value }” does not go with “{ $setting }”. You can say: { $choices }
error-unknown-setting = There is no setting “{ $word }”. { $command } shows what there is.
error-export-too-large = That is more than can be sent here. Whoever runs this house can give it to you: { $contact }
error-managers-only = Only those who look after this place can change its settings.
error-host-only = These rooms are looked after by whoever runs this house: ask them.
error-here-direct = This conversation is ours alone: there is nothing to look after. What is yours is under /settings.
error-game-not-here = { $game } is not played here. Here you can play { $games }; in private with me, everything.
error-no-game-here = No games are played here. In private with me you can play everything.
error-threads-only = Here it is played in threads and topics only: open one and begin there. In private with me you can play, too.
error-begin-managers = Only those who look after this place begin matches here. You can join in, or play in private with me.
error-begin-role = Only people with the role “{ $role }” begin matches here. You can join in, or play in private with me.
error-begin-some = Only some people may begin matches here. You can join in, or play in private with me.
error-not-played-there = Where this match is to be played, that is not wanted any more.
error-shut-out = The host of this house does not want me here, so I say no more. In private I am still there for you, and so are your matches: /matches.
error-close-elsewhere = This match was begun in another place: only there it can be closed.
error-close-own = You play this match yourself: end it with { $resign } or { $abort }, or let somebody else who looks after this place close it.
error-close-none = No match is being played here.
error-nothing-begun = Tap a cell of the board first, then this key.
error-button-unknown = I do not know this button any more. /board shows the board anew.
error-too-long = That is too long; { $most } characters are enough.
error-too-fast = That was very fast. Take a breath, then go on.
outdated = This waited for so long that it was not true any more. Please ask once more.
error-name-empty = Please choose a name that one can read.
error-not-stored = I could not store that, so nothing has changed. Please try again in a moment.
error-store-gone = My memory is not where I keep it, so I can neither look anything up nor store anything. Whoever runs me can read in my log what is wrong.
error-ours = Something went wrong on my side. Nothing is lost; please try again.

# --- The web page: its slots (count, name, room) are filled in the browser

web-tagline = Sit down, play, walk on.
web-language = Language
web-name = What shall we call you?
web-name-hint = A name is all it takes. This browser remembers it with a cookie.
web-enter = Come in
web-take-name = Take “{ $name }”
web-have-code = I have a code from another browser
web-also = Known in another browser?
web-code = The code that you made there
web-next = Next
web-cancel = Cancel
web-unreachable = The house does not answer. Please try again in a moment.
web-noscript = Azumaya needs JavaScript.
web-skip = Skip to the message field
web-rooms = Rooms
web-open-rooms = Open the room list
web-channels = Channels
web-direct = Direct messages
web-people = Here now
web-play = Play
web-help = Help
web-keys = On this page: / begins a command from anywhere, F2 goes to the board that has waited longest for you, Esc closes what has opened.
web-rules = Rules
web-go-back = Back
web-challenge = Challenge { $name }
web-play-computer = Play { $name }
web-start = Start
web-start-open = Who plays with me?
web-stats = Statistics
web-whom-other = Somebody else
web-whom-name = Their name
web-close = Close
web-alerts = When something waits for you
web-alerts-text = Your turn, a challenge, an offer. This browser remembers what you choose here.
web-alerts-notify = Notifications, while you look elsewhere
web-alerts-sound = A quiet sound
web-alerts-no = This browser does not allow notifications here. Its settings for this page can change that.
web-alerts-none = This browser shows no notifications of pages.
web-theme = Switch between morning and evening colours
web-leave = Leave
web-leaving-title = Leave the house?
web-leaving-text = This browser forgets who you are. If no other browser knows you (/settings, Browsers), nobody can come back under your name, not even you, and what you are playing waits for you in vain.
web-stay = Stay
web-house = Azumaya
web-messages = Messages in { $room }
web-write = Message, or / for commands
web-line = Message
web-send = Send
web-suggestions = Suggestions
web-suggestion-count = Suggestions: { $count }
web-board = Board: { $name }
web-your-turn = Your turn
web-record = Move by move
web-step-first = To the beginning
web-step-back = One move back
web-step-on = One move on
web-step-last = To the end
web-moment = Turning point: move { $count }
web-ahead = { $name } ahead
web-step-at = Move { $count } of { $of }
web-record-empty = No move yet.
web-board-view = Board
web-talk-view = Talk
web-back-to = Back to { $room }
web-board-at-side = To the board
web-board-others = Your boards here
web-you = you
web-you-play = you, { $side }
web-over = Finished
web-only-you = Only you see this
web-my-matches = My matches
web-over-to = waiting for { $name }
web-asked = challenged: { $count }
web-asked-in = You are challenged in { $room }
web-asked-you = You are challenged
web-offered = offers: { $count }
web-offered-in = There is an offer for you in { $room }
web-offered-you = an offer for you
web-offered-you-more = { $count } offers for you
web-unanswered = not answered yet
web-for-you = For you
web-next-board = Next board that waits for you ({ $count })
web-next-none = No board waits for you just now.
web-next-in = Go to the board that waits in { $room } ({ $count })
web-turn-in = It is your turn in { $room }
web-waiting = your turn: { $count }
web-unread = unread: { $count }
web-new = New
web-jump = Latest
web-jump-new = New: { $count }
web-empty = Nothing has been said here yet. Type / to see what this house can do.
web-loading = Fetching earlier messages …
web-not-sent = Not sent
web-send-again = Send again
web-discard = Discard
web-lost = No connection. Trying again …
web-full = All seats are taken just now. I will try again in a minute.
web-resting = It is full here, and you have another page open: this one rests.
web-go-on = Go on here
web-try-now = Try now
web-back = Connected again

error-name-taken = “{ $name }” is taken. Perhaps another one?
error-name-similar = “{ $name }” looks like a name that is taken. Perhaps another one?
error-name-number = A # with a number stands for a match here. Perhaps another name?
error-name-house = That is what the house is called. Perhaps another one?
error-name-word = “{ $name }” stands for somebody else here. Perhaps another name?
error-name-command = “{ $name }” is a command here. Perhaps another name?
error-name-code = That is a code, and nobody should read it: press “I have a code from another browser”.
error-name-long = That is too long; { $most } characters are enough.
error-name-characters = There are characters in that name that nobody could read.
error-nothing-said = There was nothing to read in that.
error-request = I did not understand that request. Perhaps this page is old: please load it again.
error-busy = A great many people are coming in. Please try again in a moment.

# What a page asks before it becomes somebody's

also-title = Are you { $name }?
also-text = You will be { $name } in this browser, with { $name }’s matches and settings.
also-instead = The matches of { $before }, who you are here now, stay with { $before }, and this browser forgets them.
also-instead-last = The matches of { $before }, who you are here now, stay with { $before }. No other browser knows { $before }: nobody comes back under that name.
also-careful = Did somebody else send you this? Then stay who you are: what you do here would be theirs.
also-yes = Yes, I am { $name }
also-no = No, stay as it is
error-no-such-browser = This code does not work (any more). Make a new one where you are known: /settings, Browsers.
error-here-already = This browser knows you as that already. Open it in the other one.
error-too-many-browsers = You are known in { $count } browsers already. End one of them first: /settings, Browsers.
error-codes-busy = Too many codes are being tried just now. Please wait a minute.
