# Texte nur für Telegram.

telegram-hello = Hallo! /spielen zeigt alle Spiele, /hilfe alle Befehle.
telegram-hint = /spielen zeigt alle Spiele, /hilfe alle Befehle. Zum Ziehen drückst du ein Feld unter einem Brett oder tippst deinen Zug, etwa d3.
telegram-edited = Geänderte Nachrichten beachte ich nicht, denn andere haben schon die erste gelesen. Schick den Befehl bitte neu.
telegram-channel = In Kanälen kann man nicht spielen. Hol mich in eine Gruppe oder schreib mir privat.
telegram-anonymous = Ich sehe nicht, wer du bist. Schreib bitte als du selbst, nicht im Namen der Gruppe oder eines Kanals.
telegram-not-yours = Dieses Menü gehört jemand anderem. Tipp den Befehl selbst, dann bekommst du dein eigenes.
telegram-no-pictures = Ich darf hier keine Fotos senden. Mit diesem Recht zeige ich das Brett als Bild.
telegram-share = Herausforderung teilen
telegram-private-sent = Es steht in unserem privaten Chat.
telegram-private-needed = Das darfst nur du sehen. Öffne unseren privaten Chat und drück auf Start.
telegram-private-open = Privaten Chat öffnen
telegram-unsure = Vielleicht ist meine Antwort nicht angekommen. Wenn du sie nicht siehst, frag bitte noch einmal.

telegram-description =
    Brettspiele, wo du ohnehin schreibst: Othello, Mühle, Sogo, Sudoku Moyo und Black Box.

    Hol mich in eine Gruppe und tipp /spielen, oder fang gleich hier an: allein, oder mit einem Link für jemanden.
telegram-short-description = Othello, Mühle, Sogo, Sudoku Moyo und Black Box, gespielt in deinem Chat.
