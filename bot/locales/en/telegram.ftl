# Words that only Telegram needs.

telegram-hello = Hello! /play shows what can be played here, /help all that I know.
telegram-hint = /play shows what can be played, /help all that I know. To move, press a key of a board or type your move, such as d3.
telegram-edited = I do not play edited messages, for the others have read the first one. Please send the command anew.
telegram-channel = In channels nobody can play. Add me to a group, or write to me in private.
telegram-anonymous = I cannot see who you are. Please write as yourself, not in the name of the group or a channel.
telegram-not-yours = This menu is somebody else's. Type the command yourself to get your own.
telegram-no-pictures = I am not allowed to send photos here. With that right I show the board as a picture.
telegram-share = Send the challenge to somebody
telegram-private-sent = It is in our private chat.
telegram-refused-before = That did nothing: I was restarted before I could say so. The board shows how things stand.
telegram-private-needed = That is for your eyes only. Open our private chat and press Start.
telegram-private-open = Open the private chat

telegram-description =
    Board games where you already talk: Othello, Mühle, Sogo, Sudoku Moyo and Black Box.

    Add me to a group and type /play, or begin right here: alone, or with a link for a friend.
telegram-short-description = Othello, Mühle, Sogo, Sudoku Moyo and Black Box, played in your chat.
