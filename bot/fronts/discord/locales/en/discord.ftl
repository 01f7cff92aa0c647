# Texts for Discord only.

discord-done = ✓
discord-to-board = Go to board
discord-again = That took too long. Please press again.
discord-private = The board comes to our direct messages. If I cannot write to you there, it appears here, and only you can see it.
discord-closed = I cannot send you direct messages. Only you can see this board.

discord-menu-challenge = Challenge…

# Names of commands and options: lower case, no spaces.
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
discord-command-replay = replay
discord-command-puzzle = puzzle
discord-command-takeback = takeback
discord-command-nudge = nudge
discord-command-claim = claim
discord-command-abort = abort
discord-command-resign = resign
discord-command-rematch = rematch
discord-command-matches = matches
discord-command-leaderboard = leaderboard
discord-command-stats = stats
discord-command-history = history
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
field-replay = what
field-people = people
field-period = time
field-result = result
field-side = side
field-rated = rated
field-takebacks = takebacks
field-hints = hints

discord-about-game = The game
discord-about-user = The player
discord-about-match = The number of the game, for example 12
discord-about-hours = For example 22-7 Berlin, or off
discord-about-days = For example 2w, or end
discord-about-clock = For example 3d, or 10m+5s
discord-about-code = The code of the challenge
discord-about-language = The language in which I answer you
discord-about-command = The command
discord-about-options = The options of the game
discord-about-replay = For example 10-20, slow, as white
discord-about-people = Which players to list; usually those of this server
discord-about-period = This month, or all time
discord-about-result = Only games that the player won, drew or lost
discord-about-side = The side you want to play
discord-about-rated = Whether the game changes ratings
discord-about-takebacks = Whether moves of a rated game can be taken back
discord-about-hints = Whether both players may get hints; unrated

error-discord-bot = Bots cannot play here. Challenge a player, or post an open challenge.
error-discord-left = { $name } is no longer here. Challenge another player, or post an open challenge.
