# What only Discord needs.

discord-done = ✓
discord-to-board = To the board
discord-again = That took too long. Please press once more.
discord-private = The board comes into our private conversation, or, if that is closed to me, here, where you alone see it.
discord-closed = Our private conversation is closed to me. Here, you alone see the board.

discord-menu-challenge = Challenge…

# Names of commands and options: small letters, no spaces.
discord-command-play = play
discord-command-challenge = challenge
discord-command-accept = accept
discord-command-join = join
discord-command-decline = decline
discord-command-withdraw = withdraw
discord-command-board = board
discord-command-next = next
discord-command-moves = moves
discord-command-quiet = quiet
discord-command-holiday = holiday
discord-command-clock = clock
discord-command-draw = draw
discord-command-hint = hint
discord-command-analyse = analyse
discord-command-puzzle = puzzle
discord-command-takeback = takeback
discord-command-abort = abort
discord-command-resign = resign
discord-command-rematch = rematch
discord-command-matches = matches
discord-command-leaderboard = leaderboard
discord-command-stats = stats
discord-command-rules = rules
discord-command-help = help
discord-command-language = language
discord-command-settings = settings
discord-command-block = block
discord-command-unblock = unblock
discord-command-privacy = privacy
discord-command-here = here

field-game = game
field-user = user
field-move = move
field-match = match
field-hours = hours
field-days = days
field-clock = clock
field-code = code
field-language = language
field-command = command
field-options = options
field-people = people
field-period = time
field-side = side
field-rated = rated

discord-about-game = Which game
discord-about-user = Whom
discord-about-match = The number of the match, such as 12
discord-about-hours = Such as 22-7 Berlin, or off
discord-about-days = Such as 2w, or end
discord-about-clock = Such as 3d, or 10m+5s
discord-about-code = The code that somebody gave you
discord-about-language = The language in which I answer you
discord-about-command = Which command
discord-about-options = How you want to play it
discord-about-people = Whom I name; usually those of this server
discord-about-period = This month, or all time
discord-about-side = The side that you would like to play
discord-about-rated = Whether it changes your ratings

error-discord-bot = Bots cannot play here. Challenge somebody else, or ask who plays.
error-discord-left = { $name } is not here any more. Challenge somebody else, or ask who plays.
