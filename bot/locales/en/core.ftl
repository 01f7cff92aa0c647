# Texts of the bot. The texts of a game are in its own file.

language-name = English
# Names of this language that can be typed, in any language.
language-words = english englisch

# --- Boards and challenges

board-your-turn = Your turn.
board-turn = { $name } to move.
hint-move = I would play { $move }
hint = { $best }.
hint-why = { $best }: { $why }.
board-thinking = { $name } is thinking …
board-in-private = Choose “{ $button }”: only you can see what you do now.
board-out-of-reach = I cannot reach { $name } right now. They will see the board as soon as I can message them again.
board-due = Deadline: { $when }.
board-bank = { $name }: { $time } left
board-bank-runs = { $name }: at most { $time } left
board-given-back = I was offline for { $time }. That time was given back.
board-nudged = { $name } is waiting for a move.
board-warned = { $name } is waiting for { $other }. Without a move, { $name } can claim the game in a day.
board-claimable =
    { $name } is waiting for { $other } and can claim the game.{ $day ->
        [never] { "" }
       *[day] { " " }Without a move or a claim, it ends without a result on { $day }.
    }
board-late = { $name } takes longer than usual, and moves as soon as possible. You can also resign.
board-stale =
    No moves for a long time.{ $day ->
        [never] { "" }
       *[day] { " " }Without a move, this game ends without a result on { $day }.
    }
board-too-short = Ratings unchanged: the game was too short.
board-met-too-often = Ratings unchanged: only { $most } games a day count between the same two players.
board-reratings = Ratings: { $sides }.
board-rerating = { $name } { $before } → { $after }
board-first-rating = { $name } { $after } (first rating)
board-provisional = “?” means provisional: the first games change a rating a lot.
board-last = Last move: { $move }
board-analysed = Analysing: { $done } of { $total } moves …
board-analysis-given-up = Analysis stopped after { $done } of { $total } moves. Ask again to resume.
offer-draw = { $name } offers a draw.
offer-draw-declined = { $name } declined the draw.
offer-abort = { $name } asks to abort the game.
offer-abort-declined = { $name } declined to abort the game.
offer-clock = { $name } proposes a new clock: { $clock }.
offer-clock-declined = { $name } declined the new clock.
offer-clock-accepted = { $name } accepted. New clock: { $clock }. Both clocks were reset.
offer-clock-accepted-none = { $name } accepted. The game now has no clock.
offer-takeback = { $name } asks to take back { $moves }.
offer-takeback-declined = { $name } declined the takeback.
offer-takeback-accepted = { $name } accepted the takeback. { $other } moves again.
offer-draw-withdrawn = { $other } withdrew the draw offer.
offer-abort-withdrawn = { $other } withdrew the request to abort.
offer-clock-withdrawn = { $other } withdrew the new clock.
offer-takeback-withdrawn = { $other } withdrew the takeback.
ending-resigned = { $winner } wins: { $name } resigned.
ending-resigned-alone = Resigned.
ending-timeout = { $winner } wins: { $name } ran out of time.
ending-timeout-draw = Draw: { $name } ran out of time, but the opponent could no longer win.
ending-timeout-alone = Out of time.
ending-agreed = Draw by agreement.
ending-aborted = This game was ended because its rules changed in an update. No result.
ending-aborted-by = { $name } aborted the game. No result.
ending-called-off = Game aborted by agreement. No result.
ending-abandoned = Game abandoned. No result.
ending-unplayed-by = { $name } resigned before moving. No result.
ending-abandoned-by = { $name } did not move in time. No result.
ending-claimed = { $winner } wins: { $name } stopped moving.
ending-closed-record = The record ends here.
ending-closed-study = This study is closed.
ending-closed = A moderator closed this game. No result.
ending-solved = Best move! Puzzle solved.
ending-missed = Not solved this time.
alt-choices = Choices: { $choices }.
alt-missed = Solution: { $board }
alt-stopped = { $game }, game over.
name-erased = Former player
# No user may have a name of these words only.
names-refused = the admin administrator mod moderator operator owner system support staff team host anybody anyone someone player players opponent spectator user

challenge-open = { $name } wants to play { $game }. Join?
challenge-to = { $name } challenges { $opponent } to { $game }.
challenge-over-open = { $name } wanted to play { $game }.
challenge-over-to = { $name } challenged { $opponent } to { $game }.
join-line = /join { $code }
challenge-code =
    Anyone can join with this code:
    { $line }
challenge-until = Open until { $when }.
challenge-unrated = Unrated
challenge-rated = Rated
challenge-takebacks = Takebacks allowed
challenge-hints = Hints allowed, unrated
clock-none = no clock
clock-a-turn = { $time } per turn
clock-a-move = { $time } per move
span-d =
    { $count ->
        [one] 1 day
       *[other] { $count } days
    }
span-h = { $count } h
span-m = { $count } min
span-s = { $count } s
challenge-side = { $name } plays { $side }.
challenge-declined = Declined.
challenge-withdrawn = Withdrawn.
challenge-out-of-reach = I cannot send { $name } private messages. Challenge them in a chat that you share.
challenge-expired = Expired without an answer.
challenge-which-game = Which game?
which-match = Which game do you mean?
which-match-for = { $what }: which game do you mean?
which-offer = Which one do you mean?
which-more = … and { $count } more. Add the number of the game you mean.

button-accept = Accept
button-join = Join
button-nudge = Nudge
button-claim = Claim game
button-decline = Decline
button-withdraw = Withdraw
button-copy = Copy code
button-withdraw-of = Withdraw ({ $name })
button-withdraw-what-of = { $what } ({ $name })
button-draw-decline = Decline draw
button-abort-decline = Keep playing
button-clock-decline = Keep clock
button-takeback-decline = Decline takeback
button-rules = Rules
button-moves = Moves
button-replay = Replay
button-resign = Resign
button-give-up = Resign
button-draw = Offer draw
button-draw-short = Draw
button-draw-withdraw = Withdraw draw offer
button-abort-withdraw = Withdraw abort request
button-clock-withdraw = Withdraw new clock
button-takeback-withdraw = Withdraw takeback
button-draw-settled = Draw: { $how }
button-abort-settled = Abort: { $how }
button-clock-settled = Clock: { $how }
button-takeback-settled = Takeback: { $how }
settled-accepted = accepted
settled-declined = declined
settled-withdrawn = withdrawn
button-draw-accept = Accept draw
button-abort = Request abort
button-abort-short = Abort
button-abort-accept = Abort game
button-abort-sure = Yes, abort
button-abort-free = Abort game
button-clock-accept = Accept new clock
button-clock = Propose new clock
button-takeback = Request takeback
button-takeback-short = Takeback
button-takeback-accept = Accept takeback
button-resign-sure = Yes, resign
button-resign-not = No, keep playing
button-close-sure = Yes, close
button-close-not = No, keep it
button-hint = Hint
button-play-hint = Play it
button-sure = Yes, go ahead
button-form = Enter moves
form-together = Up to { $count }, in one line
button-cancel = Cancel
button-again = Rematch
button-again-alone = New game
button-level-up = Higher level: { $name }
button-level-down = Lower level: { $name }
button-private = In private
button-flip = Flip
button-alt = As text
button-start-alone = Play alone
button-start-open = Open challenge
button-play-computer = Play { $name }
button-challenge = Challenge …
button-options = Options
button-options-hide = Hide options
button-level = Level { $level } of { $most }
button-play-start = Play here
button-play-apart = In private

abort-sure = Abort this game? The game has just started, so your opponent does not have to agree. It will not count.
resign-sure = Resign? Then { $opponent } wins.
resign-early = You can still abort the game without asking. Then it does not count.
resign-asked = { $opponent } has asked to abort. If you accept, the game is not counted.
resign-alone-sure = Resign? All stones count as missed.
resign-unplayed-sure = Resign? You have not moved yet, so the game is not counted.
said-aloud = Not played: everyone here could read it. Press the button to do it in private.
direct-title = Azumaya

notice-turn = Your turn: { $game }, game { $match }.
notice-joined = { $name } accepted your challenge: { $game }, game { $match }. { $how }
notice-challenged = You have been challenged to { $game }.
notice-declined = Your challenge to { $game } was declined.
notice-offered = { $game }, game { $match }: { $how }
notice-refused = { $game }, game { $match }: { $how }
notice-agreed = { $game }, game { $match }: { $how }
notice-reminded = { $game }, game { $match }: your turn, { $how } left.
notice-nudged = { $game }, game { $match }: { $name } is waiting for your move.
notice-warned = { $game }, game { $match }: your turn. Without a move, your opponent can claim the game in a day.
notice-late = { $game }, game { $match }: { $how }
notice-stale = { $game }, game { $match }: { $how }
notice-over = { $game }, game { $match } is over. { $how }
notice-analysed = Analysis: { $title }
notice-analysis-ready = { $game }, game { $match }: the analysis is ready.
notice-analysis-stopped = { $game }, game { $match }: the analysis stopped after { $done } of { $total } moves. Ask again to resume.
notice-analysis-failed = Game { $match } can no longer be analysed.
notice-unsure = The board may not have arrived.
notice-missing = The board is no longer here.
host-says = Message from the operator: { $text }
button-show-board = Show board

menu-title = What would you like to play?
menu-puzzle = Puzzle
menu-puzzle-about = One move is best. Can you find it?
menu-invite = To play with others, add me to a group and type { $command } there.
button-invite = Add to group
start-against-computer = Computer: { $name } plays at once, unrated and without a clock.
start-beside = { $name } plays at this keyboard, unrated.
start-against-people =
    { $platform ->
        [discord] People: challenge a player, or post an open challenge.
       *[other] People: post an open challenge, or challenge a player: { $command } @name
    }

# The computer, for each level: its name, what can be typed for it, and how well it plays.
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
computer-about-2 = Plays casually and makes mistakes
computer-about-3 = Thinks ahead, a fair opponent
computer-about-4 = Hard to beat
computer-about-5 = As strong as I can play

computer-waits = You already have this game open and have not moved yet.
button-go-on = Continue
button-one-more = Start another

start-side = Your side
start-side-any = Random
start-rated = Rated
start-yes = yes
start-no = no
start-takebacks = Takebacks
start-hints = Hints (unrated)
start-clock = Clock
start-computer = { $name } ({ $level })
start-whom = Opponent
start-whom-anybody = Open challenge
start-whom-code = Anyone with the code
start-where = Here, where others can watch, or in our private chat?

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
button-replay-steps = Move by move
button-replay-slow = Slow
button-replay-normal = Normal
button-replay-fast = Fast

next-none = No games are waiting for you.
matches-title = Your games
matches-none =
    { $platform ->
        [web] You have no active games. Start one on “{ web-home }”.
       *[other] You have no active games. How about /play?
    }
matches-more = … and { $count } more.
matches-my-turn = your turn
matches-study =
    { $moves ->
        [one] 1 move
       *[other] { $moves } moves
    }
matches-their-turn = waiting for { $name }
matches-challenged = waiting for your answer
matches-challenging = no answer yet
matches-open = open challenge: { $line }
button-board = Board
button-played = Finished games: { $count }
played-title = Finished games
played-title-of = Finished games of { $name }
played-none = You have no finished games yet.
played-no-such = No such finished games.
button-share = Share
button-share-copy = Copy link
button-share-names = Show my name
button-share-nameless = Hide my name
button-share-stop = Stop sharing
share-text = Anyone with this link can see the game: { $url }
share-named = The page shows { $people ->
        [one] your name
       *[other] the names of both players
    }.
share-waits = The page shows no names until your opponent agrees, too.
share-nameless = The page shows no names. { $people ->
        [one] To show yours, press the button.
       *[other] They appear once both players have agreed.
    }
share-live = The board is live.
share-stopped = The link no longer works. Pages that have copied the picture may keep it.
share-no-page = There is no public page here, because the operator has not set an address. You can still forward the board or the moves.
share-player =
    { $people ->
        [one] Player
       *[other] Player { $number }
    }
share-solution = Solution
share-play = Play board games
share-position = Play this position
play-position-text = Choose a level to play on from here. You move first. This game does not count.
past-start = Starting position
past-evaluation = Winning chances: { $first } ({ $percent }%), { $second } ({ $other }%)
past-better = Better for { $name } ({ $percent }%): { $line }
replay-stretch = Moves { $first } to { $last }
replay-turning-points = Turning points have a frame.
replay-alt = Animated replay of { $count } moves.
analysis-title = Analysis · { $game }
analysis-under-way = Analysing { $game }, game { $match }: { $done } of { $total } moves. I will post the result when it is ready.
analysis-waits =
    { $count ->
        [one] Another game comes first.
       *[other] { $count } other games come first.
    }
analysis-once-more = The last analysis of { $game }, game { $match }, stopped early. I am resuming it: { $done } of { $total } moves. I will post the result when it is ready.
analysis-side = { $name } ({ $percent }%)
analysis-accuracy = Accuracy: { $sides }
analysis-moments = Turning points (winning chances before → after):
analysis-moment =
    { $ply }. { $name } played { $move }{ $swing ->
        [over] , giving { $other } the lead
        [away] , losing the lead
        [behind] , falling behind
       *[other] { "" }
    } ({ $before }% → { $after }%).
analysis-better = Better: { $line }
analysis-no-moments = No turning points.
analysis-about = Winning chances, move by move
analysis-ahead = { $name } ahead
analysis-axis = Move
analysis-legend = Turning point
analysis-alt = winning chances of { $first } against { $second }: { $begin }% at the start, between { $least }% and { $most }% during the game, { $end }% at the end.
button-analyse = Analysis
button-analysing = Analysing …
button-analysis-show = Show analysis
import-fault = Line { $line }, { $move }: { $why }
import-which = { $count } games. Which one?
study-title = Study
button-try = Try moves
button-versus = Play computer
button-close-study = Close
puzzle-title = Puzzle
puzzle-ask = Find the best move for { $side }.
puzzle-played = You played { $move }. The board shows the best move.
puzzle-line = Best: { $line }
puzzle-chances = Winning chances: { $best }%, with the next best move { $second }%
puzzle-rating = Your puzzle rating: { $value } ({ $change }). This puzzle: { $puzzle }
puzzle-sure = Show the solution? The puzzle counts as failed.
button-solution = Show solution
button-solution-sure = Yes, show it
button-puzzle = Next puzzle
button-moment = Move { $ply }
moves-none = No moves yet.
moves-secret =
    { $count ->
        [one] 1 secret move
       *[other] { $count } secret moves
    }
moves-beginning = Starting position:

leaderboard-title = Leaderboard
leaderboard-of = Leaderboard: { $game }
leaderboard-alone = { $game }, solo
leaderboard-empty =
    { $platform ->
        [web] No counted games here yet. Be the first: start one on “{ web-home }”.
       *[other] No counted games here yet. Be the first: /play
    }
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
        [one] 1 game
       *[other] { $count } games
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
        [one] No players listed yet: one counted game is needed.
       *[other] No players listed yet: { $count } counted games are needed.
    }
leaderboard-missing =
    { $count ->
        [one] { $name }: one more game to be listed.
       *[other] { $name }: { $count } more games to be listed.
    }
leaderboard-hidden = You are hidden from leaderboards: /settings
leaderboard-minimum =
    { $count ->
        [one] Listed from the first counted game.
       *[other] Listed from { $count } counted games.
    } Rated games count. In solo Black Box, boxes that need no guessing count.
leaderboard-points-are = A win is one point, a draw half a point.
rating-unsure = “?” means provisional: few games, or none for a long time.

stats-title = Statistics for { $name }
stats-none = No finished games yet.
stats-versus = { $game }: { $wins } won, { $draws } drawn, { $losses } lost ({ $rate }%)
stats-computer = { $game } against { $name }: { $wins } won, { $draws } drawn, { $losses } lost
stats-streak =
    { $going ->
        [0] Longest winning streak: { $most }
        [1] Longest winning streak: { $most }
       *[other] Winning streak: { $going } (longest: { $most })
    }
stats-streak-most = Winning streak: { $most }, the longest yet
stats-rating =
    Rating, { $game }{ $which ->
        [none] { "" }
       *[other] { " " }({ $which })
    }: { $value } ({ $count ->
        [one] 1 game
       *[other] { $count } games
    })
stats-puzzles = Puzzles, { $game }: rating { $value }, { $solved } of { $count } solved
stats-alone = { $game }, solo: { NUMBER($average, minimumFractionDigits: 1, maximumFractionDigits: 1) } points on average, best { $best }, { $streak } solved in a row (most { $most }), { $count } played
stats-longest =
    Longest game: { $game }, { $count ->
        [one] 1 move
       *[other] { $count } moves
    }
stats-opening = Favourite opening in { $game }: { $move } ({ $times } of { $count })
stats-opponent = Against { $name }: { $wins } won, { $draws } drawn, { $losses } lost
stats-against-you = You against { $name }: { $wins } won, { $draws } drawn, { $losses } lost
stats-curve = { $name } · { $game }
stats-curve-at =
    game { $count }
    { $day }
stats-curve-alt = rating from { $first } to { $last }
history-none = No result
history-against =
    You { $wins } – { $losses }{ $draws ->
        [0] { "" }
        [one] , 1 draw
       *[other] , { $draws } draws
    }

rules-which = Rules of which game?

language-which = Which language?
language-changed = Language set to English.

settings-title = Your settings
settings-text = Choose a setting to change it.
settings-changed = Changed: “{ $setting }”.
settings-theme = Colours
settings-theme-auto = automatic
settings-theme-light = light
settings-theme-dark = dark
settings-theme-wood = wood
settings-theme-slate = slate
settings-pings = Pings
settings-pings-auto = default ({ $usual })
settings-pings-always = every turn
settings-pings-away = when away
settings-pings-never = never
settings-dots = Dots on legal moves
settings-dots-on = shown
settings-dots-off = hidden
settings-side = Board from my side
settings-side-first = no
settings-side-own = yes
settings-threats = Threats on the board
settings-threats-off = hidden
settings-threats-on = marked
settings-record = Leaderboards and statistics
settings-record-everybody = public
settings-record-me = only me
settings-notation = { $game } notation
block-done = 
    { $name } is blocked. You get no challenges or rematches from them{ $platform ->
        [web] , and see none of their messages
       *[other] { "" }
    }. Active games continue. Undo: { $platform ->
        [web] “{ web-blocked }” in the settings.
       *[other] /unblock
    }
unblock-done = { $name } is no longer blocked.
blocks-title = Blocked players
blocks-text = Choose a name to unblock it.
blocks-more = … and { $count } more.
blocks-none =
    { $platform ->
        [discord] You have not blocked anyone. To block a player: /block, option “user”.
        [web] You have not blocked anyone. To block a player, press “{ web-block }” on their page.
       *[other] You have not blocked anyone. To block a player: /block @name
    }
button-unblock = Unblock { $name }
button-unblock-erased = { $days ->
    [0] Unblock deleted player (blocked today)
    [one] Unblock deleted player (blocked yesterday)
   *[other] Unblock deleted player (blocked { $days } days ago)
}
settings-blocked = Blocked: { $count }
here-title = Settings of this chat
quiet-title = Quiet hours
quiet-off = none
quiet-hours = { $begins } to { $ends }
quiet-none = I remind you at any hour when you are running out of time.
quiet-set = No reminders from { $begins } to { $ends }, { $town } time (now { $now }). I still remind you if your time in a game would run out in these hours.
quiet-where = What is your time zone? Choose a town with your time, or type a town or an offset: { $before }Vienna, { $before }UTC+5:30
button-quiet-elsewhere = Another town
button-quiet-off = No quiet hours

holiday-title = Holiday
holiday-off =
    You are not on holiday. You have { $days ->
        [one] one
       *[other] { $days }
    } of { $most } days left this year. During a holiday, your clocks in days are paused, and your opponents see until when. A holiday takes at least one day.
holiday-on =
    You are on holiday until { $day }. Your clocks in days are paused. { $days ->
        [0] No days are left this year
        [one] One day is left after that
       *[other] { $days } days are left after that
    }.
button-holiday-end = I am back
board-away = { $name } is on holiday until { $day }.
settings-holiday = Holiday: until { $day }
settings-language = Language
settings-language-auto = default
settings-clock = Clock
settings-begin = Who may start
settings-zone = Time zone
settings-game = { $game }
settings-game-on = yes
settings-game-off = no
settings-threads = A thread for each game
settings-threads-off = no
settings-threads-on = yes
settings-threads-only = no, play in threads and topics only
here-begin-title = Who may start games here?
here-begin-text = Everyone may join games. Moderators may always start them.
begin-everybody = everyone
begin-managers = moderators
begin-role = a role
here-zone-title = Time zone of this chat
here-zone-text =
    Deadlines on boards are shown in this time zone, unless the app shows each reader their own time. { $platform ->
        [discord] Choose a town with your time.
       *[other] Choose a town with your time, or type one: { $command } zone Vienna
    }
here-games = Games: { $count } of { $all }
here-games-title = Which games are allowed here?
here-close = Close a game
here-around = Settings not changed here come from the channel or group around it.
here-back = Back to settings
close-which = Which game should be closed, without a result?
close-sure = Close this game without a result? { $match }. Both players are notified, and everyone here sees who closed it.
close-not-own = Your own games are not listed.
close-done = Game #{ $match } ({ $game }) was closed by { $who }, without a result.

button-sessions = Browsers: { $count }
sessions-title = Your browsers
sessions-unknown = Unknown browser
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
button-session-end = Log out { $number }: { $browser }
button-sessions-end = Log out all others
button-another = Add a browser
another-title = Add a browser
another-text = Open the link in the other browser, or press “Log in with a code” there and type { $code }. It works once, for { $minutes } minutes. Keep it secret: anyone with this code can log in as you.
another-here-title = Log in here?
another-here-text = This code is from a browser where you are logged in. I ask again before anything changes.
another-here-link = Continue

# --- Your data

privacy-title = Your data
privacy-what = I store your name and your ID on this platform, your language and settings, your games with their moves and results, and which puzzles you have tried.
privacy-also =
    { $platform ->
        [web] I also store your messages, how far you have read, and the browsers where you are logged in. A cookie recognises your browser and does nothing else. Good
       *[other] Good
    } positions from games become puzzles for others, without names.
privacy-seen =
    Anyone in a chat where a game is shown sees who plays it. Leaderboards show names and results. Anyone with the link to a shared game can see it. It has names only if all its players agree.{ $platform ->
        [web] { " " }If you turn on notifications for the closed page, your browser's push service sees when you get one, but not its text.
       *[other] { "" }
    } Nothing else is shared, there is no tracking, and there are no ads.
privacy-long =
    Your data is kept until you delete it.{ $platform ->
        [web] { " " }Players who never play are deleted after a while. A browser is forgotten 30 days after you log out, or after a year without use.
       *[other] { "" }
    }
privacy-own =
    You can download or delete your data at any time.{ $platform ->
        [web] { "" }
       *[other] { " " }One trace may remain: a keyed hash of your ID. I keep it if a player has blocked you, until they unblock you. I also keep it for a day if a player has not accepted your challenges. Both still apply if you come back.
    }
privacy-host = This bot is operated by { $name }.
privacy-host-unnamed = The operator of this bot has not given a name. Ask the person who told you about it.
privacy-contact = Contact: { $contact }.
privacy-page = Full policy: { $url }
privacy-file = This is all the data I have stored about you.
button-record = As a file
button-record-text = Text
button-record-transcript = Transcript
button-record-ggf = GGF
button-record-pgn = PGN
button-records = All my games
button-records-older = Older games
record-file = The record of game #{ $match }, as a file.
records-file =
    { $count ->
        [one] Your game, as a file.
       *[other] Your { $count } games, as one file.
    }
button-export = Download my data
button-erase = Delete my data
button-erase-sure = Yes, delete { $name }
button-erase-not = No, keep it
erase-title = Delete your data?
erase-text =
    { $platform ->
        [web] Your name, settings and browsers will be deleted and cannot be restored.
       *[chat] Your name and settings will be deleted and cannot be restored. If a player has blocked you, that remains, even if you come back.
    }
erase-resigned =
    { $count ->
        [one] One active game will be resigned.
       *[other] { $count } active games will be resigned.
    }
erase-unplayed =
    { $count ->
        [one] One active game without a move of yours will end without a result.
       *[other] { $count } active games without a move of yours will end without a result.
    }
erase-played = Your finished games stay, without your name.
erase-said =
    { $count ->
        [one] The message you wrote will be deleted.
       *[other] The { $count } messages you wrote will be deleted.
    }
erase-kept = I cannot delete what the chat app keeps, for example your own messages. Only you can do that.
erased-title = Account deleted
erased = Your data has been deleted. Thank you for playing! If you come back, you start fresh.

# --- Commands

# Words to type for names, choices and moves. The words of every language work.

word-new = new
word-with = with against vs to
word-the = the
word-everywhere = everywhere
word-month = month
word-all = all
word-won = won
word-drawn = drawn
word-lost = lost
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
word-slow = slow slower
word-fast = fast faster
word-as = as

# Names of the commands, one or more. The first one is shown. The names of every language work.

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
command-analyse = analyse analyze analysis
command-export = export download
command-share = share publish
command-replay = replay gif
command-import = import
command-puzzle = puzzle
command-takeback = takeback undo
command-nudge = nudge remind poke
command-claim = claim
command-abort = abort
command-resign = resign
command-rematch = rematch
command-matches = matches
command-leaderboard = leaderboard ranking
command-stats = stats statistics rating elo
command-history = history
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

help-title = How to play
help-text =
    { $platform ->
        [discord] Type a command and choose its options, or press a button. To move, press a square, or type for example /othello move:d3.
        [telegram] Type a command, or press a button. To move, press a square, or type for example /othello d3.
        [console] Type a command, or a label in brackets. To move, type for example d3. The Tab key completes.
       *[web] Type a command, or press a button. To move, tap the picture, or type for example /othello d3.
    }
help-group-start = Start a game:
help-group-answer = Answer challenges and offers:
help-group-play = During a game:
help-group-end = Agree, wait or end:
help-group-past = Look at games:
help-group-learn = Learn and compare:
help-group-set = Settings:
button-help-all = All commands
help-play = choose a game to play
help-challenge = challenge a player, or post an open challenge
help-accept = accept a challenge or an offer
help-join = join a game with a code
help-decline = decline a challenge or an offer
help-withdraw = withdraw your challenge or offer
help-board = show your board again
help-next = show the board that has waited longest for you
help-moves = list the moves of a game
help-clock = propose a new clock, or accept one
help-draw = offer a draw, or accept one
help-hint = suggest a move, if the game allows hints
help-analyse = analyse a finished game: turning points and accuracy
help-export = send the record of a game, or of all your games, as a file
help-share = get a link to a game that works for anyone
help-replay = replay a game from its first move, or a part of it
help-import = open a record of a game
help-puzzle = solve a rated puzzle: find the best move
help-takeback = ask to take back your last move, or accept a takeback
help-nudge = remind your opponent to move, in a game without a clock
help-claim = claim a game if your opponent no longer moves
help-abort = abort a game: alone at the start, later if both agree
help-resign = resign a game; before your first move, it is not counted
help-rematch = play your last game here again, with sides swapped
help-matches = list your active and finished games
help-leaderboard = show the best players
help-stats = show your statistics, or another player's
help-history = list finished games: yours, or another player's
help-rules = explain the rules of a game
help-help = show the most important commands, or all of them
help-language = set the language in which I answer you
help-quiet = set hours without reminders
help-holiday = pause your clocks while you are away
help-settings = set colours, dots, board side and more
help-block = block a player
help-unblock = unblock a player
help-privacy = see, download or delete your data
help-here = change the settings of this chat, or close a game
help-new = start a new game
help-unrated = does not change ratings
help-takebacks = moves may be taken back
help-hints = both players may get hints; unrated
help-everywhere = players from everywhere, shown only to you
help-month = games of this month
help-all = games of all time

help-computer-title = The computer
help-computer = Play any game against the computer, at once: { $before }computer. You can choose a level: { $before }computer 3. These games are unrated and have no clock, and { $hint } shows you a good move. Levels:
help-computer-level = { $level }. { $name }: { $about }

# Shown after the help of a single command.

example-clock = For example: { $command } 3d (3 days per turn), { $command } 10m+5s (10 minutes for the game, plus 5 seconds per move), { $command } none
example-holiday = For example: { $command } 2w, { $command } until 24 Dec, { $command } end
example-quiet = For example: { $command } 22-7 Berlin, { $command } 22-7 UTC+5:30, { $command } off
example-leaderboard = For example: { $command } othello month, { $command } sogo all everywhere
example-stats = For example: { $command } @name, { $command } othello, { $command } @name othello
example-history = For example: { $command } @name, { $command } othello won

argument-game = game
argument-user = @name
argument-move = move
argument-match = game number
argument-record = record
argument-hours = hours and town
argument-days = days
argument-clock = clock
argument-code = code
argument-language = language
argument-command = command
argument-options = options
argument-replay = moves, speed and side
argument-people = everywhere
argument-period = month or all
argument-result = won, drawn or lost

# --- Errors

error-over = This game is over.
error-not-your-turn = It is not your turn.
error-notation = I do not understand the move “{ $text }”.
error-notation-example = I do not understand the move “{ $text }”. For example: { $example }
error-notation-letter = The “{ $letter }” in “{ $text }” is not a Latin letter. For example: { $example }
error-notation-name = “{ $text }” is neither a move nor a player I know. For example: { $example }
error-notation-order = Write the column first, for example { $example }.
error-notation-pass = There is no passing in this game. For example: { $example }
error-notation-several =
    “{ $text }” looks like several moves. Play one at a time, for example { $example }. { $platform ->
        [web] To open a record, use “{ web-import }” on “{ web-games }”.
       *[other] To open a record: /import
    }
error-off-board = { $square } is not on this board.
error-ambiguous = That could be several moves: { $moves }
error-setup = This is not a position of this game.
error-wrong-seat = This is not a record of this game.
error-not-notation = This is not a record of this game.
error-unknown-option = There is no option “{ $option }”. You can use: { $options }
error-unknown-choice = “{ $value }” is not possible for “{ $option }”. You can use: { $choices }
error-option-unknown = I do not understand “{ $word }”. You can use: { $options }
error-options-new =
    { $platform ->
        [discord] Options are for new games. Leave out the move, or challenge a player.
       *[other] Options are for new games. Add “new”, or challenge a player.
    }
error-options-which-game = These options belong to a game. Add one of: { $games }
error-option-ambiguous = “{ $word }” can mean several options. Use one of: { $options }
error-option-or-name = I know neither an option nor a player called “{ $word }”. You can use: { $options }

error-stale = The board has changed.
error-no-such-match = There is no game #{ $match } here.
error-match-number = “{ $word }” is not the number of a game. Use a number, for example #12.
error-no-match-of = You have no matching { $game } game here.
error-code-missing = The code is missing. It looks like this: k7mf-2qtx-9wpa
error-person-gone = This player has deleted their account. For other opponents: /play
error-forgotten = Your data has been deleted here. You can start afresh.
error-nothing-stored = I have no data about you yet, so there is nothing to show or change. That starts with your first game.
error-no-such-code = This code or link does not work, or no longer works. Ask for a new one.
error-code-used = This code has already been used. Ask { $name } for a new one.
error-code-used-up = This code has already been used.
error-link-unknown = This link does not work, or no longer works. Ask for a new one.
error-no-match = You have no active game here. How about /play?
error-no-match-here = You have no active { $game } game here. { $command } starts one.
error-no-offer = This offer is no longer open.
error-offer-own = This is your own offer. Your opponent has to answer it.
error-offer-theirs = Only the player who made this offer can withdraw it.
error-offer-open = You have already asked. Wait for an answer, or withdraw your offer first.
error-offer-answer-first = Your opponent has already made an offer about this. Accept or decline it first.
error-offer-too-soon =
    You asked for this recently. You can ask again { $moves ->
        [one] after the next move
       *[other] after { $moves } more moves, yours and your opponent's together
    }.
error-offer-just-agreed =
    You have just agreed on this. You can ask again { $moves ->
        [one] after the next move
       *[other] after { $moves } more moves, yours and your opponent's together
    }.
error-offer-at-once = The board has just changed. To answer an offer, try again in three seconds.
error-offer-none = There are no open offers in this game.
error-offer-alone = You are playing alone. There is no opponent to agree with.
error-takeback-reveals = This game has no takebacks: what a move has revealed stays known.
error-takeback-rated =
    { $platform ->
        [discord] No takebacks: this game is rated, and takebacks were not agreed on. Next time, choose the option “{ field-takebacks }”, or play unrated.
       *[other] No takebacks: this game is rated, and takebacks were not agreed on. Next time, add “takebacks” or “unrated” to the challenge.
    }
error-takeback-nothing = You have no move to take back yet.
error-rematch-at-once = The game has just ended. To ask for a rematch, try again in three seconds.
error-rematch-terms = { $rematch } repeats your last game and takes no options. For other options, use { $challenge }.
error-no-rematch = You have not finished a game here yet. How about /play?
error-match-over = This game is over.
error-not-begun = This game has not started yet.
error-not-in-match = You are not playing in this game.
error-too-many-together = You can enter at most { $most } at once.
error-nothing-private = There is nothing to do in private now.
error-no-challenge = No challenge or offer is waiting for you here.
error-nothing-open = You have no open challenge or offer to withdraw.
error-challenge-self = You cannot challenge yourself.
error-no-computer = There is no computer opponent here. Challenge a player, or post an open challenge.
error-computer-away = The computer is unavailable. Try again in a few minutes, or challenge a player.
error-no-computer-for = I cannot play { $game } with these options. Challenge a player, or post an open challenge.
error-unknown-level = There is no level “{ $level }”. Choose 1 to { $most }.
error-stats-hidden = { $name } keeps their statistics private.
error-no-such-page = There is no page { $page }.
error-stats-house = Bots have no statistics.
error-quiet-hours = From when until when? For example: { $before }22-7
error-holiday-days = How many days, or until when? For example: { $before }2w, { $before }until 24 Dec
error-holiday-never = There are no holidays here.
error-holiday-most = At most { $days } days a year are possible.
error-holiday-budget =
    { $days ->
        [0] You have no holidays left this year.
        [one] You have only one day of holiday left.
       *[other] You have only { $days } days of holiday left.
    }
error-zone-unknown = I do not know the time in “{ $town }”. Try the capital, a large town with the same time, or an offset: { $before }Berlin, { $before }UTC+5:30
error-zone-which = Which one: { $towns }? For example: { $before }Berlin
error-clock-unknown = There is no clock “{ $clock }”. Days per turn: { $days }, for example 3d. Time for the game plus time per move: 3m+5s to 10d+36h, for example 10m+5s.
error-clock-two = These are several clocks: { $clocks }. Choose one.
error-clock-same = The game already has this clock.
error-clock-which = Which clock? For example: { $before }3d
error-clock-alone = Solo games have no clock.
error-hint-not-agreed =
    { $platform ->
        [discord] This game has no hints. Hints are possible against the computer, or if agreed at the start: { $command }, option “{ field-hints }”.
       *[other] This game has no hints. Hints are possible against the computer, or if agreed at the start: { $command } @name { $word }
    }
error-hint-alone =
    { $platform ->
        [discord] This game counts, so there are no hints. To play with hints, off the leaderboards: { $command }, option “{ field-hints }”.
       *[other] This game counts, so there are no hints. To play with hints, off the leaderboards: { $command } new { $word }
    }
error-hint-not-your-turn = It is your opponent's turn.
error-hint-late = A move has been played. Ask again.
error-thinking-busy = Other players asked first. Please try again in a moment.
error-thinking-slow = This is taking longer than usual. Please try again in a moment.
error-thinking-elsewhere = The computer is not available here.
error-thinking-failed = That did not work. Please try again.
error-share-none = You have no game here that can be shared. How about /play?
error-share-secret = This game can be shared when it is over. Until then, the page could give something away.
error-share-taken-back = Your opponent has stopped sharing this game.
error-share-too-many = You have shared { $count } games today. Please try again tomorrow.
error-analyse-none = You have not finished a game here yet. How about /play?
error-analyse-running = This game is still active. You can analyse it when it is over.
error-analyse-empty = No moves were played in this game.
error-analyse-game = I cannot analyse { $game } with these options.
error-analyse-house = Analysis is not available here.
error-analyse-busy = I am still analysing another game for you. Please wait until it is done.
error-analyse-puzzle = This was a puzzle. Its board shows the solution.
error-replay-none = You have not finished a game here yet. How about /play?
error-replay-impossible = This game cannot be replayed, or not before it is over.
error-replay-moves = This game has { $count } moves. A replay shows 1 to { $most } of them, for example 10-20.
error-replay-unknown = I do not understand “{ $word }”. Example: { $before }10-20 slow as white
error-replay-failed = The replay could not be drawn. Please try again.
error-hint-puzzle = There are no hints in puzzles. To see the answer, choose “Show solution”.
error-offer-puzzle = This is a puzzle. There is no opponent to agree with.
error-import-what = Add a record, as text or as a file: { $before } f5d6c3
error-import-large = That file is too large. I read up to { $most } MB.
error-import-file = The file did not arrive. Please send it again.
error-import-none = I cannot read that. { $why }
error-import-gone = I no longer have that file. Please send it again.
error-study-here = Studies are private. The board is in our private chat.
error-too-many-studies = You have { $count } open studies. Close one first.
error-try-running = You can try moves when this game is over.
error-try-over = { $game } is over here. Choose an earlier position.
error-rematch-study = There is no rematch in a study. Use *Try moves*.
error-puzzle-here = Puzzles are for you alone. The board is in our private chat.
error-puzzle-none =
    { $platform ->
        [web] No new puzzles for you. New ones come from analysed games.
       *[other] No new puzzles for you. New ones come from analysed games: { $command }
    }
error-puzzle-none-of = No new { $game } puzzles for you, only for: { $games }
error-puzzle-game = { $game } has no puzzles. Try: { $games }
error-rated-computer = Games against the computer are never rated.
error-rated-not = This game cannot be rated: games with hints, and some variants, never are.
error-clock-computer = Games against the computer have no clock.
claim-warned = Your opponent has left. I am notifying them now. A day later, you can claim the game.
error-not-waiting = This works only while you wait for a move, in a two-player game without a clock.
error-nudge-early = You can nudge once a day, and no sooner than a day after the last move.
error-nudge-left = { $name } has left this chat. You can claim the game: { $command }
error-nudge-silent = { $name } does not receive nudges. Please be patient.
error-opponent-away = Your opponent is on holiday until { $day }. Please wait.
error-claim-at-once = The board has just changed. To claim the game, try again in three seconds.
error-claim-early =
    { $days ->
        [0] You can claim a game only if your opponent has left. Your opponent is notified a day before.
       *[other] You can claim a game after { $days } days without a move, or if your opponent has left. Your opponent is notified a day before.
    }
error-claim-soon = Your opponent has been notified. You can claim the game a day after that.
error-too-late = Time had already run out, so this game is over.
error-challenge-alone = { $game } is a solo game with these options.
error-challenge-for-other = This challenge is for another player.
error-challenge-not-yours = This is not your challenge.
error-accept-own = This is your own challenge. Another player has to accept it.
error-challenge-running = This challenge has already been accepted.
error-challenge-over = This game is already over.
error-challenge-declined = This challenge was declined.
error-challenge-withdrawn = This challenge was withdrawn.
error-challenge-expired = This challenge has expired.
error-too-many-challenges =
    { $count ->
        [one] You already have an open challenge. Wait for an answer, or withdraw it.
       *[other] You already have { $count } open challenges. Wait for an answer, or withdraw one.
    }
error-challenged-enough =
    { $name } has not accepted { $count ->
        [one] a challenge
       *[other] { $count } challenges
    } from you. Try again { $hours ->
        [0] { $minutes ->
            [one] in a minute
           *[other] in { $minutes } minutes
        }
        [one] in an hour
       *[other] in { $hours } hours
    }.
error-takes-no-challenges = { $name } is not accepting challenges right now. Please try again later.
error-you-have-blocked = You have blocked { $name }. Undo: /unblock
error-block-self = You cannot block yourself.
error-block-house = You cannot block me, but I only speak when asked.
error-not-blocked = You have not blocked { $name }.
error-too-many-matches =
    { $count ->
        [one] You already have an active game. Finish it first, or /resign.
       *[other] You already have { $count } active games. Finish one first, or /resign.
    }
error-too-many-matches-theirs = { $name } has too many active games. Please try again later.
error-too-many-lines =
    { $minutes ->
        [one] You have sent { $count } messages within an hour (boards you show count, too). Please wait a minute.
       *[other] You have sent { $count } messages within an hour (boards you show count, too). Please wait { $minutes } minutes.
    }
error-unknown-game = There is no game “{ $word }”. You can play: { $games }
error-unknown-command = I do not know { $word }. { $help } shows all commands.
error-unknown-command-near = I do not know { $word }. Did you mean { $near }? { $help } shows all commands.
error-unknown-opponent = There is no player or game “{ $word }”. For example: { $command } @name othello. You can play: { $games }
error-unknown-person =
    I do not know a player called “{ $name }”.{ $platform ->
        [web] { " " }Type @ and choose a name.
       *[other] { "" }
    }
error-unknown-username = I do not know a player called “{ $name }”. Reply to their message with your command, choose them from the list after @, or type @ and their username.
error-name-no-move =
    { $platform ->
        [telegram] “{ $name }” is not a move. To challenge a player, reply to their message with { $command } new, choose them from the list after @, or type their username: { $command } @name
        [discord] “{ $name }” is not a move. To challenge a player: { $command }, option “user”.
       *[other] “{ $name }” is not a move. To challenge a player: { $command } @name
    }
error-challenge-name-game = Add the game: /challenge @{ $name } othello. You can play: { $games }
error-unknown-language = I do not speak “{ $word }” yet. You can use: { $languages }
error-ambiguous-language = “{ $word }” can mean several languages. Which one: { $languages }?
error-unknown-value = “{ $value }” is not possible for “{ $setting }”. You can use: { $choices }
error-unknown-setting = There is no setting “{ $word }”. { $command } shows all settings.
error-record-hidden = The record of this game is hidden until it ends.
error-no-records = You have no games that can be exported.
error-record-form = I do not know the format “{ $form }” for this game. You can use: { $forms }
error-record-form-options = This format has no place for the options of this game.
error-record-form-setup = This format has no place for the starting position of this game.
error-record-too-large = The file is too large. At most { $most } MB are read.
error-record-games = The file has too many games. At most { $most } are read.
error-record-moves = A game has too many moves. At most { $most } are read.
error-record-binary = This is not a text, and not a file that I know.
error-record-empty = There is no game in this file.
error-record-unknown = Line { $line }: I do not understand “{ $move }”.
error-record-which = This could be a record of several games: { $games }
error-record-game = I do not know the game “{ $game }”.
error-record-other-game = This is a record of another game: { $game }
error-record-board = I read games on boards of 8 by 8, not { $size }.
error-record-counts = The file is damaged: it does not have the { $games } games that it announces.
error-record-names = These are only the names. Send them with the file of games, in one zip file.
error-export-too-large = Your data is too large to send here. The operator can give it to you: { $contact }
error-managers-only = Only moderators can change these settings.
error-host-only = Only the operator can change the settings of these rooms.
error-here-direct = This is our private chat: there is nothing to moderate. Your own settings: /settings
error-game-not-here = { $game } is not allowed here. Here you can play: { $games }. In our private chat, you can play everything.
error-no-game-here = No games are allowed here. In our private chat, you can play everything.
error-threads-only = Games are only allowed in threads and topics here. Open one and start there, or play in our private chat.
error-begin-managers = Only moderators may start games here. You can join games, or play in our private chat.
error-begin-role = Only people with the role “{ $role }” may start games here. You can join games, or play in our private chat.
error-begin-some = Only some people may start games here. You can join games, or play in our private chat.
error-not-played-there = This game is no longer allowed in the chat where it would be played.
error-shut-out = The operator has turned me off in this chat, so I stop answering here. In private, I still answer, and your games continue: /matches
error-close-elsewhere = This game was started in another chat and can only be closed there.
error-close-own = You are playing this game. End it with { $resign } or { $abort }, or ask another moderator to close it.
error-close-none = There are no active games here.
error-nothing-begun = Tap a cell of the board first, then this key.
error-button-unknown = This button no longer works. /board shows the board again.
error-too-long = That is too long. The limit is { $most } characters.
error-too-long-record =
    That is too long for a move. { $platform ->
        [web] To open a record, use “{ web-import }” on “{ web-games }”.
       *[other] To open a record: /import
    }
error-too-fast = Too fast. Please wait a moment, then try again.
outdated = This took too long and is out of date. Please ask again.
error-name-empty = Please choose a readable name.
error-not-stored = I could not save that, so nothing has changed. Please try again in a moment.
error-store-gone = The database is unavailable, so I cannot load or save anything. The operator can find the reason in the log.
error-ours = Something went wrong on my side. Nothing is lost. Please try again.

# --- The web page. Its parameters (count, name, room, ...) are filled in by the browser.

web-tagline = Sit down, play, walk on.
web-language = Language
web-name = What should we call you?
web-name-hint = A name is enough. A cookie in this browser remembers it.
web-enter = Enter
web-take-name = Use “{ $name }”
web-have-code = Log in with a code
web-also = Log in with a code
web-code = The code from your other browser
web-next = Next
web-cancel = Cancel
web-unreachable = The server is not responding. Please try again in a moment.
web-noscript = Azumaya needs JavaScript.
web-skip = Skip to the message field
web-home = Home
web-places = Places
web-games = Games
web-puzzles = Puzzles
web-leaderboard = Leaderboard
web-settings = Settings
web-more = More
web-home-lead = Play board games in your browser, against the computer or with friends. No account needed.
web-open-challenges = Open challenges
web-watch = Watch
web-accept = Accept
web-challenge-one = Challenge
web-alone = Play
web-with-people = People
web-puzzles-text = Find the best move. Your puzzle rating follows.
web-nowhere = Not found
web-nowhere-text = This page does not exist, or no longer exists.
web-blocked = Blocked players
web-block = Block
web-privacy = Privacy
web-rooms = Rooms
web-open-rooms = Open the room list
web-channels = Rooms
web-direct = Direct messages
web-people = Online
web-play = Play
web-help = Help
web-keys = Keys: / starts a command, F2 opens the board that has waited longest for you, Esc closes what is open.
web-rules = Rules
web-go-back = Back
web-challenge = Challenge { $name }
web-play-computer = Play { $name }
web-start = Start
web-start-open = Open challenge
web-start-code = Get a link
web-stats = Statistics
web-options = Options
web-kind-alone = Alone
web-kind-computer = Computer
web-kind-friend = Friend
web-kind-anyone = Anyone
web-kind-anyone-about = Anyone in this room can accept.
web-takebacks-always = Always allowed in unrated games.
web-level = Level
web-clock-none = No clock
web-clock-days = Days
web-clock-live = Live
web-whom-code = Send a link
web-whom-code-about = You get a link to send. Only players with it can join.
web-whom-other = Another player
web-whom-name = Player name
web-close = Close
web-alerts = Notifications
web-alerts-text = For your turn, challenges and offers. Your choice is saved in this browser.
web-alerts-notify = Notify me when this page is in the background
web-alerts-push = Notify me, also when this page is closed
web-alerts-sound = Play a quiet sound
web-alerts-no = This browser blocks notifications from this page. You can change that in its settings.
web-alerts-none = This browser does not support notifications.
web-theme = Switch between light and dark
web-sounds = Sounds of moves
web-motion = Animate moves
web-leave = Log out
web-leaving-title = Log out?
web-leaving-text = This browser will forget who you are. If you are not logged in in another browser (/settings, Browsers), you cannot come back under your name. Your active games will be left without a player.
web-stay = Stay
web-house = Azumaya
web-messages = Messages in { $room }
web-write = Message, move or /command
web-write-direct = Only for you: move or /command
web-line = Message
web-send = Send
web-suggestions = Suggestions
web-suggestion-count = Suggestions: { $count }
web-board = Board: { $name }
web-your-turn = Your turn
web-record = Replay
web-step-first = Go to start
web-step-back = Previous move
web-step-on = Next move
web-step-last = Go to end
web-step-download = Download as GIF
web-moment = Turning point: move { $count }
web-ahead = { $name } ahead
web-step-at = Move { $count } of { $of }
web-record-empty = No moves yet.
web-board-view = Board
web-talk-view = Chat
web-back-to = Back to { $room }
web-board-at-side = Open board
web-plays = { $name } plays { $game }
web-plays-against = { $name } plays { $game } against { $other }
web-board-others = Your boards in this room
web-you = you
web-you-play = you, { $side }
web-over = Finished
web-only-you = Only you can see this
web-history = Finished games
web-history-empty = No finished games.
web-all-games = All games
web-all-results = All results
web-won = Won
web-drawn = Drawn
web-lost-game = Lost
web-rated = Rated only
web-my-matches = Your games
web-import = Import a game
web-import-text = Moves or a record
web-import-open = Open
web-import-file = Choose file
web-study = Private board
web-over-to = Waiting for { $name }
web-asked = challenges: { $count }
web-asked-in = You have been challenged in { $room }
web-asked-you = Waiting for your answer
web-offered = offers: { $count }
web-offered-in = You have an offer in { $room }
web-offered-you = An offer for you
web-offered-you-more = { $count } offers for you
web-unanswered = No answer yet
web-for-you = For you
web-next-board = Next game that waits for you
web-next-none = No games are waiting for you.
web-next-in = Go to the game that waits in { $room }: { $count }
web-turn-in = Your turn in { $room }
web-waiting = your turn: { $count }
web-unread = unread: { $count }
web-new = New
web-jump = Latest
web-jump-new = New: { $count }
web-empty = No messages yet. Type / to see all commands.
web-copy-link = Copy link
web-copied = Copied
web-share = Share
web-opening = Loading …
web-loading = Loading earlier messages …
web-not-sent = Not sent
web-send-again = Send again
web-discard = Discard
web-lost = Connection lost. Reconnecting …
web-full = The server is full. Trying again in a minute …
web-newer = There is a new version. The page reloads.
web-reload = Reload now
web-resting = The server is full, so this page is paused: you have another one open.
web-go-on = Continue here
web-try-now = Try now
web-back = Reconnected

error-name-taken = “{ $name }” is taken. Try another name.
error-name-similar = “{ $name }” looks like a name that is taken. Try another name.
error-name-number = A number means a game here. Try another name.
error-name-numbered = I add a number like #0001 to a name when two look alike. Try a name without one.
error-name-house = This is the bot's name. Try another name.
error-name-word = “{ $name }” has another meaning here. Try another name.
error-name-command = “{ $name }” is a command here. Try another name.
error-name-code = This is a secret code, not a name. To use it, press “Log in with a code”.
error-name-long = That is too long. The limit is { $most } characters.
error-name-characters = This name has characters that cannot be read. Try another name.
error-nothing-said = This message has no readable text.
error-request = I did not understand this request. The page may be out of date: please reload it.
error-busy = Too many people are connecting right now. Please try again in a moment.

# Asked before a browser is logged in as another player

also-title = Log in as { $name }?
also-text = You will be logged in as { $name } in this browser, with the games and settings of { $name }.
also-instead = Right now you are { $before } here. The games of { $before } stay with { $before }, and this browser forgets them.
also-instead-last = Right now you are { $before } here. The games of { $before } stay with { $before }. No other browser is logged in as { $before }, so you cannot come back under that name.
also-careful = Did someone else send you this? Then cancel: otherwise you play under their name.
also-yes = Yes, I am { $name }
also-no = Cancel
error-no-such-browser = This code does not work, or no longer works. Make a new one where you are logged in: /settings, Browsers.
error-here-already = You are already logged in as this player here. Open the link in the other browser.
error-too-many-browsers = You are already logged in with { $count } browsers. Log out of one first: /settings, Browsers.
error-codes-busy = Too many codes are being tried right now. Please wait a minute.
