# Texts for the console only.

console-welcome =
    Type what is on the screen: a move such as d3, or a label in brackets. The Tab key completes.
    For a friend at this keyboard: othello @{ $friend }. For all commands: help. To leave: Ctrl-D.
console-friend = Friend
console-pass = Pass the keyboard to { $name }, then press Enter:{ " " }
