# Texts for Telegram only.

telegram-hello = Hello! /play shows all games, /help shows all commands.
telegram-hint = /play shows all games, /help shows all commands. To move, press a key of the board or type your move, for example d3.
telegram-edited = I ignore edited messages, because others have read the first version. Please send the command again.
telegram-channel = Games do not work in channels. Add me to a group, or write to me in private.
telegram-anonymous = I cannot see who you are. Please write as yourself, not as the group or a channel.
telegram-not-yours = This menu belongs to another player. Type the command to get your own.
telegram-no-pictures = I am not allowed to send photos here. With that permission, I show the board as a picture.
telegram-share = Share challenge
telegram-private-sent = It is in our private chat.
telegram-private-needed = Only you may see this. Open our private chat and press Start.
telegram-private-open = Open private chat
telegram-unsure = My answer may not have arrived. If you do not see it, please ask again.

telegram-description =
    Board games where you already chat: Othello, Mühle, Sogo, Sudoku Moyo and Black Box.

    Add me to a group and type /play, or start right here: alone, or with a link for a friend.
telegram-short-description = Othello, Mühle, Sogo, Sudoku Moyo and Black Box, played in your chat.
