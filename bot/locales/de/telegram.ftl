# Wörter, die nur Telegram braucht.

telegram-hello = Hallo! /spielen zeigt, was man hier spielen kann, /hilfe alles, was ich kann.
telegram-hint = /spielen zeigt, was man spielen kann, /hilfe alles, was ich kann. Zum Ziehen drückst du ein Feld unter einem Brett oder tippst deinen Zug, etwa d3.
telegram-edited = Geänderte Nachrichten spiele ich nicht, denn die anderen haben die erste gelesen. Schick den Befehl bitte neu.
telegram-channel = In Kanälen kann niemand spielen. Hol mich in eine Gruppe, oder schreib mir privat.
telegram-anonymous = Ich sehe nicht, wer du bist. Schreib bitte als du selbst, nicht im Namen der Gruppe oder eines Kanals.
telegram-not-yours = Dieses Menü gehört jemand anderem. Tipp den Befehl selbst, dann bekommst du dein eigenes.
telegram-no-pictures = Ich darf hier keine Fotos senden. Mit diesem Recht zeige ich das Brett als Bild.
telegram-share = Herausforderung weiterschicken
telegram-private-sent = Es steht in unserem privaten Chat.
telegram-refused-before = Das hat nichts bewirkt: Ich wurde neu gestartet, bevor ich es sagen konnte. Das Brett zeigt, wie es steht.
telegram-private-needed = Das ist nur für deine Augen. Öffne unseren privaten Chat und drück auf Start.
telegram-private-open = Privaten Chat öffnen

telegram-description =
    Brettspiele, wo du ohnehin schreibst: Othello, Mühle, Sogo, Sudoku Moyo und Black Box.

    Hol mich in eine Gruppe und tipp /spielen, oder fang gleich hier an: allein, oder mit einem Link für jemanden.
telegram-short-description = Othello, Mühle, Sogo, Sudoku Moyo und Black Box, gespielt in deinem Chat.
