# Texte des Bots. Die Texte eines Spiels stehen in seiner eigenen Datei.

language-name = Deutsch
# Namen dieser Sprache, die man tippen kann, in jeder Sprache.
language-words = deutsch german

# --- Bretter und Herausforderungen

board-your-turn = Du bist am Zug.
board-turn = { $name } ist am Zug.
hint-move = Ich würde { $move } spielen
hint = { $best }.
hint-why = { $best }: { $why }.
board-thinking = { $name } überlegt …
board-in-private = Wähl „{ $button }“: Was du jetzt tust, sieht sonst niemand.
board-out-of-reach = Ich erreiche { $name } gerade nicht. Sobald ich wieder schreiben darf, zeige ich dort das Brett.
board-due = Bedenkzeit bis { $when }.
board-bank = { $name }: noch { $time }
board-bank-runs = { $name }: höchstens noch { $time }
board-given-back = Ich war { $time } nicht erreichbar. Diese Zeit ist gutgeschrieben.
board-nudged = { $name } wartet auf den nächsten Zug.
board-warned = { $name } wartet auf { $other }. Ohne Zug kann { $name } die Partie in einem Tag beanspruchen.
board-claimable =
    { $name } wartet auf { $other } und kann die Partie beanspruchen.{ $day ->
        [never] { "" }
       *[day] { " " }Geschieht nichts, endet sie am { $day } ohne Ergebnis.
    }
board-late = { $name } braucht länger als sonst und zieht, sobald es geht. Du kannst auch aufgeben.
board-stale =
    Hier wurde lange nicht gezogen.{ $day ->
        [never] { "" }
       *[day] { " " }Geschieht nichts, endet die Partie am { $day } ohne Ergebnis.
    }
board-too-short = Die Wertungen bleiben: Die Partie war zu kurz.
board-met-too-often = Die Wertungen bleiben: Zwischen denselben beiden zählen nur { $most } Partien am Tag.
board-reratings = Wertungen: { $sides }.
board-rerating = { $name } { $before } → { $after }
board-first-rating = { $name } { $after } (erste Wertung)
board-provisional = „?“ heißt vorläufig: Die ersten Partien ändern eine Wertung stark.
board-last = Letzter Zug: { $move }
board-analysed = Analyse: { $done } von { $total } Zügen …
board-analysis-given-up = Die Analyse ist nach { $done } von { $total } Zügen stehen geblieben. Frag noch einmal, dann geht es weiter.
offer-draw = { $name } bietet ein Unentschieden an.
offer-draw-declined = { $name } lehnt das Unentschieden ab.
offer-abort = { $name } möchte diese Partie abbrechen.
offer-abort-declined = { $name } möchte weiterspielen.
offer-clock = { $name } möchte eine andere Bedenkzeit: { $clock }.
offer-clock-declined = { $name } möchte bei der Bedenkzeit bleiben.
offer-clock-accepted = { $name } ist einverstanden. Neue Bedenkzeit: { $clock }. Beide Uhren beginnen neu.
offer-clock-accepted-none = { $name } ist einverstanden. Ab jetzt läuft keine Uhr mehr.
offer-takeback = { $name } möchte { $moves } zurücknehmen.
offer-takeback-declined = { $name } lehnt die Rücknahme ab.
offer-takeback-accepted = { $name } erlaubt die Rücknahme. { $other } zieht noch einmal.
offer-draw-withdrawn = { $other } bietet kein Unentschieden mehr an.
offer-abort-withdrawn = { $other } möchte doch weiterspielen.
offer-clock-withdrawn = { $other } möchte keine andere Bedenkzeit mehr.
offer-takeback-withdrawn = { $other } möchte keine Rücknahme mehr.
ending-resigned = { $winner } gewinnt: { $name } hat aufgegeben.
ending-resigned-alone = Aufgegeben.
ending-timeout = { $winner } gewinnt: Die Zeit von { $name } ist abgelaufen.
ending-timeout-draw = Unentschieden: Die Zeit von { $name } ist abgelaufen, aber der Gegner konnte nicht mehr gewinnen.
ending-timeout-alone = Die Zeit ist abgelaufen.
ending-agreed = Unentschieden, beide waren einverstanden.
ending-aborted = Diese Partie wurde beendet, weil ein Update ihre Regeln geändert hat. Ohne Ergebnis.
ending-aborted-by = { $name } hat die Partie abgebrochen. Ohne Ergebnis.
ending-called-off = Die Partie wurde abgebrochen, beide waren einverstanden. Ohne Ergebnis.
ending-abandoned = Niemand hat weitergespielt. Ohne Ergebnis.
ending-unplayed-by = { $name } hat vor dem ersten Zug aufgegeben. Ohne Ergebnis.
ending-abandoned-by = { $name } hat nicht rechtzeitig gezogen. Ohne Ergebnis.
ending-claimed = { $winner } gewinnt: { $name } hat nicht mehr gezogen.
ending-closed-record = Hier endet die Aufzeichnung.
ending-closed-study = Diese Studie ist geschlossen.
ending-closed = Die Moderation hat diese Partie geschlossen. Ohne Ergebnis.
ending-solved = Bester Zug! Rätsel gelöst.
ending-missed = Diesmal nicht gelöst.
alt-choices = Zur Wahl: { $choices }.
alt-missed = Lösung: { $board }
alt-stopped = { $game }, Partie beendet.
name-erased = Jemand von früher
# Aus diesen Wörtern allein darf kein Name bestehen.
names-refused = der die das admin administrator moderator moderatorin betreiber betreiberin system haus team jeder jede jemand irgendwer niemand spieler spielerin gegner gegnerin zuschauer nutzer

challenge-open = { $name } möchte { $game } spielen. Wer macht mit?
challenge-to = { $name } fordert { $opponent } zu { $game } heraus.
challenge-over-open = { $name } wollte { $game } spielen.
challenge-over-to = { $name } hat { $opponent } zu { $game } herausgefordert.
join-line = /beitreten { $code }
challenge-code =
    Mit diesem Code kann jeder mitspielen:
    { $line }
challenge-until = Gilt bis { $when }.
challenge-unrated = Ungewertet
challenge-rated = Gewertet
challenge-takebacks = Mit Zugrücknahme
challenge-hints = Mit Tipps, ungewertet
clock-none = unbegrenzt
clock-a-turn = { $time } je Zug
clock-a-move = { $time } je Zug
span-d =
    { $count ->
        [one] 1 Tag
       *[other] { $count } Tage
    }
span-h = { $count } Std.
span-m = { $count } Min.
span-s = { $count } Sek.
challenge-side = { $name } spielt { $side }.
challenge-declined = Abgelehnt.
challenge-withdrawn = Zurückgezogen.
challenge-out-of-reach = Ich darf { $name } nicht privat schreiben. Fordere { $name } in einem Chat heraus, in dem ihr beide seid.
challenge-expired = Abgelaufen, ohne Antwort.
challenge-which-game = Welches Spiel?
which-match = Welche Partie meinst du?
which-match-for = { $what }: Welche Partie meinst du?
which-offer = Was davon meinst du?
which-more = … und { $count } weitere. Nenn die Nummer der Partie, die du meinst.

button-accept = Annehmen
button-join = Mitspielen
button-nudge = Anstupsen
button-claim = Partie beanspruchen
button-decline = Ablehnen
button-withdraw = Zurückziehen
button-copy = Code kopieren
button-withdraw-of = Zurückziehen ({ $name })
button-withdraw-what-of = { $what } ({ $name })
button-draw-decline = Kein Unentschieden
button-abort-decline = Weiterspielen
button-clock-decline = Bedenkzeit so lassen
button-takeback-decline = Keine Rücknahme
button-rules = Regeln
button-moves = Züge
button-replay = Wiedergabe
button-resign = Aufgeben
button-give-up = Aufgeben
button-draw = Unentschieden anbieten
button-draw-short = Remis
button-draw-withdraw = Unentschieden zurückziehen
button-abort-withdraw = Abbruch zurückziehen
button-clock-withdraw = Bedenkzeit zurückziehen
button-takeback-withdraw = Rücknahme zurückziehen
button-draw-settled = Unentschieden: { $how }
button-abort-settled = Abbruch: { $how }
button-clock-settled = Bedenkzeit: { $how }
button-takeback-settled = Rücknahme: { $how }
settled-accepted = angenommen
settled-declined = abgelehnt
settled-withdrawn = zurückgezogen
button-draw-accept = Unentschieden annehmen
button-abort = Um Abbruch bitten
button-abort-short = Abbruch
button-abort-accept = Partie abbrechen
button-abort-sure = Ja, abbrechen
button-abort-free = Partie abbrechen (ohne Wertung)
button-clock-accept = Bedenkzeit annehmen
button-clock = Andere Bedenkzeit
button-takeback = Um Rücknahme bitten
button-takeback-short = Rücknahme
button-takeback-accept = Rücknahme erlauben
button-resign-sure = Ja, aufgeben
button-resign-not = Nein, weiterspielen
button-close-sure = Ja, schließen
button-close-not = Nein, behalten
button-hint = Tipp
button-play-hint = So spielen
button-sure = Ja, trotzdem
button-form = Züge eintippen
form-together = Bis zu { $count }, in einer Zeile
button-cancel = Zurück
button-again = Revanche
button-again-alone = Neue Partie
button-level-up = Schwerer: { $name }
button-level-down = Leichter: { $name }
button-private = Unter uns
button-flip = Drehen
button-alt = Als Text
button-start-alone = Allein spielen
button-start-open = Offene Herausforderung
button-play-computer = Gegen { $name }
button-challenge = Herausfordern …
button-options = Optionen
button-options-hide = Optionen ausblenden
button-level = Stufe { $level } von { $most }
button-play-start = Hier spielen
button-play-apart = Unter uns

abort-sure = Diese Partie abbrechen? Sie hat gerade erst begonnen, also musst du niemanden fragen. Sie zählt dann nicht.
resign-sure = Aufgeben? Dann gewinnt { $opponent }.
resign-early = Du kannst die Partie noch abbrechen, ohne zu fragen. Dann zählt sie nicht.
resign-asked = { $opponent } möchte die Partie abbrechen. Stimmst du zu, zählt sie nicht.
resign-alone-sure = Aufgeben? Alle Steine gelten als nicht gefunden.
resign-unplayed-sure = Aufgeben? Du hast noch nicht gezogen, also zählt die Partie nicht.
said-aloud = Nicht gespielt: Hier können es alle lesen. Drück den Knopf, dann geht es privat.
direct-title = Azumaya

notice-turn = Du bist am Zug: { $game }, Partie { $match }.
notice-joined = { $name } hat deine Herausforderung angenommen: { $game }, Partie { $match }. { $how }
notice-challenged = Du bist zu { $game } herausgefordert.
notice-declined = Deine Herausforderung zu { $game } wurde abgelehnt.
notice-offered = { $game }, Partie { $match }: { $how }
notice-refused = { $game }, Partie { $match }: { $how }
notice-agreed = { $game }, Partie { $match }: { $how }
notice-reminded = { $game }, Partie { $match }: Du bist am Zug und hast noch { $how }.
notice-nudged = { $game }, Partie { $match }: { $name } wartet auf deinen Zug.
notice-warned = { $game }, Partie { $match }: Du bist am Zug. Ziehst du nicht, kann die Gegenseite die Partie in einem Tag beanspruchen.
notice-late = { $game }, Partie { $match }: { $how }
notice-stale = { $game }, Partie { $match }: { $how }
notice-over = { $game }, Partie { $match } ist zu Ende. { $how }
notice-analysed = Analyse: { $title }
notice-analysis-ready = { $game }, Partie { $match }: Die Analyse ist fertig.
notice-analysis-stopped = { $game }, Partie { $match }: Die Analyse ist nach { $done } von { $total } Zügen stehen geblieben. Frag noch einmal, dann geht es weiter.
notice-analysis-failed = Partie { $match } lässt sich nicht mehr analysieren.
notice-unsure = Das Brett ist vielleicht nicht angekommen.
notice-missing = Das Brett ist nicht mehr da.
host-says = Nachricht vom Betreiber: { $text }
button-show-board = Brett zeigen

menu-title = Was möchtest du spielen?
menu-puzzle = Rätsel
menu-puzzle-about = Ein Zug ist der beste. Findest du ihn?
menu-invite = Um mit anderen zu spielen, hol mich in eine Gruppe und tipp dort { $command }.
button-invite = In eine Gruppe holen
start-against-computer = Computer: { $name } spielt sofort mit, ohne Wertung und Bedenkzeit.
start-beside = { $name } spielt an dieser Tastatur mit, ohne Wertung.
start-against-people =
    { $platform ->
        [discord] Mitspieler: Fordere jemanden heraus oder erstelle eine offene Herausforderung.
       *[other] Mitspieler: Erstelle eine offene Herausforderung oder fordere jemanden heraus: { $command } @Name
    }

# Der Computer, je Stufe: sein Name, was man dafür tippen kann, und wie gut er spielt.
computer-1 = Schnecke
computer-2 = Igel
computer-3 = Eichhörnchen
computer-4 = Fuchs
computer-5 = Eule
computer-called-1 = schnecke
computer-called-2 = igel
computer-called-3 = eichhörnchen
computer-called-4 = fuchs
computer-called-5 = eule
computer-about-1 = Kennt die Regeln und nicht viel mehr
computer-about-2 = Spielt nett mit und übersieht manches
computer-about-3 = Denkt voraus, ein Gegner auf Augenhöhe
computer-about-4 = Schwer zu schlagen
computer-about-5 = So stark, wie ich kann

computer-waits = Diese Partie läuft schon, und du hast noch nicht gezogen.
button-go-on = Weiterspielen
button-one-more = Noch eine beginnen

start-side = Deine Seite
start-side-any = Zufällig
start-rated = Gewertet
start-yes = ja
start-no = nein
start-takebacks = Züge zurücknehmen
start-hints = Tipps (ungewertet)
start-clock = Bedenkzeit
start-computer = { $name } ({ $level })
start-whom = Gegner
start-whom-anybody = Offene Herausforderung
start-whom-code = Wer den Code hat
start-where = Hier, wo alle zusehen können, oder in unserem privaten Chat?

button-back = ‹ Zurück
button-replay-steps = Zug um Zug
button-replay-slow = Langsam
button-replay-normal = Normal
button-replay-fast = Schnell
button-move-back = ‹ Zug
button-move-on = Zug ›
button-more = Weiter ›
button-ladder-month = Dieser Monat
button-ladder-all = Von Anfang an
button-ladder-place = Nur hier
button-ladder-community =
    { $platform ->
        [discord] Ganzer Server
        [telegram] Ganze Gruppe
       *[web] Alle Räume
    }
button-ladder-overall = Überall

next-none = Gerade wartet keine Partie auf dich.
matches-title = Deine Partien
matches-none =
    { $platform ->
        [web] Gerade läuft keine Partie von dir. Unter „{ web-home }“ beginnst du eine.
       *[other] Gerade läuft keine Partie von dir. Wie wäre es mit /spielen?
    }
matches-more = … und { $count } weitere.
matches-my-turn = du bist am Zug
matches-study =
    { $moves ->
        [one] 1 Zug
       *[other] { $moves } Züge
    }
matches-their-turn = wartet auf { $name }
matches-challenged = wartet auf deine Antwort
matches-challenging = noch keine Antwort
matches-open = offene Herausforderung: { $line }
button-board = Brett
button-played = Beendete Partien: { $count }
played-title = Beendete Partien
played-title-of = Beendete Partien von { $name }
played-none = Du hast noch keine Partie beendet.
played-no-such = Keine solchen beendeten Partien.
button-share = Teilen
button-share-copy = Link kopieren
button-share-names = Meinen Namen zeigen
button-share-nameless = Namen verbergen
button-share-stop = Nicht mehr teilen
share-text = Wer diesen Link hat, kann die Partie sehen: { $url }
share-named = Die Seite zeigt { $people ->
        [one] deinen Namen
       *[other] die Namen von beiden
    }.
share-waits = Die Seite zeigt keine Namen, bis auch die andere Seite zustimmt.
share-nameless = Die Seite zeigt keine Namen. { $people ->
        [one] Willst du deinen zeigen, drück den Knopf.
       *[other] Sie erscheinen, sobald beide zugestimmt haben.
    }
share-live = Das Brett ist live zu sehen.
share-stopped = Der Link führt ins Leere. Seiten, die das Bild kopiert haben, behalten es vielleicht.
share-no-page = Hier gibt es keine öffentliche Seite, denn es ist keine Adresse dafür eingestellt. Das Brett oder die Züge kannst du trotzdem weitergeben.
share-player =
    { $people ->
        [one] Spieler
       *[other] Spieler { $number }
    }
share-solution = Lösung
share-play = Brettspiele spielen
share-position = Diese Stellung spielen
play-position-text = Wähle eine Stufe, um von hier weiterzuspielen. Du ziehst zuerst. Die Partie zählt nicht.
past-start = Anfangsstellung
past-evaluation = Gewinnchancen: { $first } ({ $percent } %), { $second } ({ $other } %)
past-better = Besser für { $name } ({ $percent } %): { $line }
replay-stretch = Züge { $first } bis { $last }
replay-turning-points = Wendepunkte haben einen Rahmen.
replay-alt = Animierte Wiedergabe von { $count } Zügen.
analysis-title = Analyse · { $game }
analysis-under-way = Ich analysiere { $game }, Partie { $match }: { $done } von { $total } Zügen. Das Ergebnis schicke ich, sobald es da ist.
analysis-waits =
    { $count ->
        [one] Eine andere Partie ist vorher dran.
       *[other] { $count } andere Partien sind vorher dran.
    }
analysis-once-more = Die letzte Analyse von { $game }, Partie { $match }, ist stehen geblieben. Ich setze sie fort: { $done } von { $total } Zügen. Das Ergebnis schicke ich, sobald es da ist.
analysis-side = { $name } ({ $percent } %)
analysis-accuracy = Genauigkeit: { $sides }
analysis-moments = Wendepunkte (Gewinnchancen vorher → nachher):
analysis-moment =
    { $ply }. { $name } spielte { $move }{ $swing ->
        [over] { " " }und überließ { $other } den Vorsprung
        [away] { " " }und verlor den Vorsprung
        [behind] { " " }und geriet in Rückstand
       *[other] { "" }
    } ({ $before } % → { $after } %).
analysis-better = Besser: { $line }
analysis-no-moments = Keine Wendepunkte.
analysis-about = Gewinnchancen, Zug für Zug
analysis-ahead = { $name } vorn
analysis-axis = Zug
analysis-legend = Wendepunkt
analysis-alt = Gewinnchancen von { $first } gegen { $second }: { $begin } % am Anfang, unterwegs zwischen { $least } % und { $most } %, { $end } % am Ende.
button-analyse = Analyse
button-analysing = Analysiere …
button-analysis-show = Analyse zeigen
import-fault = Zeile { $line }, { $move }: { $why }
import-which = { $count } Partien. Welche?
study-title = Studie
button-try = Züge probieren
button-versus = Gegen Computer
button-close-study = Schließen
puzzle-title = Rätsel
puzzle-ask = Finde den besten Zug für { $side }.
puzzle-played = Du hast { $move } gespielt. Das Brett zeigt den besten Zug.
puzzle-line = Am besten: { $line }
puzzle-chances = Gewinnchancen: { $best } %, mit dem nächstbesten Zug { $second } %
puzzle-rating = Deine Rätselwertung: { $value } ({ $change }). Dieses Rätsel: { $puzzle }
puzzle-sure = Lösung zeigen? Das Rätsel gilt dann als nicht gelöst.
button-solution = Lösung zeigen
button-solution-sure = Ja, zeigen
button-puzzle = Nächstes Rätsel
button-moment = Zug { $ply }
moves-none = Noch kein Zug.
moves-secret =
    { $count ->
        [one] 1 geheimer Zug
       *[other] { $count } geheime Züge
    }
moves-beginning = Anfangsstellung:

leaderboard-title = Rangliste
leaderboard-of = Rangliste: { $game }
leaderboard-alone = { $game }, allein
leaderboard-empty =
    { $platform ->
        [web] Hier zählt noch keine Partie. Mach den Anfang unter „{ web-home }“.
       *[other] Hier zählt noch keine Partie. Mach den Anfang: /spielen
    }
leaderboard-place = hier
leaderboard-overall = überall
leaderboard-community =
    { $platform ->
        [discord] auf diesem Server
        [telegram] in dieser Gruppe
       *[web] in allen Räumen
    }
leaderboard-all = Von Anfang an, { $where }
leaderboard-month = In diesem Monat, { $where }
leaderboard-line =
    { $rank }. { $name }: { $value } ({ $count ->
        [one] 1 Partie
       *[other] { $count } Partien
    })
leaderboard-points =
    { $amount ->
        [one] 1 Punkt
       *[other] { NUMBER($amount, maximumFractionDigits: 1) } Punkte
    }
leaderboard-average = im Mittel { NUMBER($amount, minimumFractionDigits: 1, maximumFractionDigits: 1) } Punkte
leaderboard-average-short = Ø { NUMBER($amount, minimumFractionDigits: 1, maximumFractionDigits: 1) }
leaderboard-best = Bestwert { $best }, { $streak } in Folge gelöst
leaderboard-count = { $count } gespielt
leaderboard-too-few =
    { $count ->
        [one] Noch steht niemand auf der Liste: Dafür braucht es eine gezählte Partie.
       *[other] Noch steht niemand auf der Liste: Dafür braucht es { $count } gezählte Partien.
    }
leaderboard-missing =
    { $count ->
        [one] { $name }: Für die Liste fehlt noch eine Partie.
       *[other] { $name }: Für die Liste fehlen noch { $count } Partien.
    }
leaderboard-hidden = Du bist in Ranglisten verborgen: /einstellungen
leaderboard-minimum =
    { $count ->
        [one] Auf die Liste kommt man mit einer gezählten Partie.
       *[other] Auf die Liste kommt man mit { $count } gezählten Partien.
    } Es zählen gewertete Partien; bei Black Box allein Kästen, die ohne Raten zu lösen sind.
leaderboard-points-are = Ein Sieg ist ein Punkt, ein Unentschieden ein halber.
rating-unsure = „?“ heißt vorläufig: wenige Partien, oder lange keine.

stats-title = Statistik von { $name }
stats-none = Noch keine beendeten Partien.
stats-versus = { $game }: { $wins } gewonnen, { $draws } unentschieden, { $losses } verloren ({ $rate } %)
stats-computer = { $game } gegen { $name }: { $wins } gewonnen, { $draws } unentschieden, { $losses } verloren
stats-streak =
    { $going ->
        [0] Längste Siegesserie: { $most }
        [1] Längste Siegesserie: { $most }
       *[other] Siegesserie: { $going } (längste: { $most })
    }
stats-streak-most = Siegesserie: { $most }, die längste bisher
stats-rating =
    Wertung, { $game }{ $which ->
        [none] { "" }
       *[other] { " " }({ $which })
    }: { $value } ({ $count ->
        [one] 1 Partie
       *[other] { $count } Partien
    })
stats-puzzles = Rätsel, { $game }: Wertung { $value }, { $solved } von { $count } gelöst
stats-alone = { $game }, allein: im Mittel { NUMBER($average, minimumFractionDigits: 1, maximumFractionDigits: 1) } Punkte, Bestwert { $best }, { $streak } in Folge gelöst (höchstens { $most }), { $count } gespielt
stats-longest =
    Längste Partie: { $game }, { $count ->
        [one] 1 Zug
       *[other] { $count } Züge
    }
stats-opening = Liebste Eröffnung in { $game }: { $move } ({ $times } von { $count })
stats-opponent = Gegen { $name }: { $wins } gewonnen, { $draws } unentschieden, { $losses } verloren
stats-against-you = Du gegen { $name }: { $wins } gewonnen, { $draws } unentschieden, { $losses } verloren
stats-curve = { $name } · { $game }
stats-curve-at =
    Partie { $count }
    { $day }
stats-curve-alt = Wertung von { $first } bis { $last }
history-none = Ohne Ergebnis
history-against =
    Du { $wins } – { $losses }{ $draws ->
        [0] { "" }
       *[other] , { $draws } unentschieden
    }

rules-which = Die Regeln welches Spiels?

language-which = Welche Sprache?
language-changed = Sprache: jetzt Deutsch.

settings-title = Deine Einstellungen
settings-text = Wähl eine Einstellung, um sie zu ändern.
settings-changed = Geändert: „{ $setting }“.
settings-theme = Farben
settings-theme-auto = automatisch
settings-theme-light = hell
settings-theme-dark = dunkel
settings-theme-wood = Holz
settings-theme-slate = Schiefer
settings-pings = Anpingen
settings-pings-auto = Standard ({ $usual })
settings-pings-always = bei jedem Zug
settings-pings-away = bei Abwesenheit
settings-pings-never = nie
settings-dots = Punkte auf möglichen Zügen
settings-dots-on = an
settings-dots-off = aus
settings-side = Brett von meiner Seite
settings-side-first = nein
settings-side-own = ja
settings-threats = Drohungen auf dem Brett
settings-threats-off = verborgen
settings-threats-on = markiert
settings-record = Ranglisten und Statistik
settings-record-everybody = für alle
settings-record-me = nur für mich
settings-notation = Schreibweise von { $game }
block-done = 
    { $name } ist blockiert: keine { $platform ->
        [web] Herausforderungen, Revanchen oder Nachrichten
       *[other] Herausforderungen oder Revanchen
    } mehr von dort. Laufende Partien gehen weiter. Rückgängig: { $platform ->
        [web] „{ web-blocked }“ in den Einstellungen.
       *[other] /freigeben
    }
unblock-done = { $name } ist nicht mehr blockiert.
blocks-title = Blockiert
blocks-text = Wähl einen Namen, um ihn freizugeben.
blocks-more = … und { $count } weitere.
blocks-none =
    { $platform ->
        [discord] Du hast niemanden blockiert. Wenn dich jemand stört: /blockieren, Option „wer“.
        [web] Du hast niemanden blockiert. Wenn dich jemand stört: „{ web-block }“ steht auf seiner Seite.
       *[other] Du hast niemanden blockiert. Wenn dich jemand stört: /blockieren @Name
    }
button-unblock = { $name } freigeben
button-unblock-erased = { $days ->
    [0] Freigeben: gelöscht, heute blockiert
    [one] Freigeben: gelöscht, gestern blockiert
   *[other] Freigeben: gelöscht, vor { $days } Tagen blockiert
}
settings-blocked = Blockiert: { $count }
here-title = Einstellungen für diesen Chat
quiet-title = Ruhezeit
quiet-off = keine
quiet-hours = { $begins } bis { $ends } Uhr
quiet-none = Ich erinnere dich rund um die Uhr, wenn deine Bedenkzeit in einer Partie knapp wird.
quiet-set = Keine Erinnerungen von { $begins } bis { $ends } Uhr, Zeit in { $town } (dort ist es { $now } Uhr). Nur wenn deine Bedenkzeit in diesen Stunden endet, erinnere ich dich trotzdem.
quiet-where = Welche Uhrzeit gilt für dich? Wähle eine Stadt mit deiner Uhrzeit, oder schreib eine Stadt oder den Abstand zu UTC: { $before }Wien, { $before }UTC+5:30
button-quiet-elsewhere = Andere Stadt
button-quiet-off = Keine Ruhezeit

holiday-title = Urlaub
holiday-off =
    Du bist nicht im Urlaub. Von { $most } Tagen im Jahr hast du noch { $days ->
        [one] einen
       *[other] { $days }
    }. Im Urlaub stehen deine Bedenkzeiten in Tagen still, und deine Gegner sehen, bis wann. Ein Urlaub zählt mindestens einen Tag.
holiday-on =
    Du bist im Urlaub bis zum { $day }. Bis dahin stehen deine Bedenkzeiten in Tagen still. Danach { $days ->
        [0] hast du in diesem Jahr keine Tage mehr
        [one] hast du noch einen Tag
       *[other] hast du noch { $days } Tage
    }.
button-holiday-end = Ich bin zurück
board-away = { $name } ist im Urlaub bis zum { $day }.
settings-holiday = Urlaub: bis { $day }
settings-language = Sprache
settings-language-auto = Standard
settings-clock = Bedenkzeit
settings-begin = Beginnen dürfen
settings-zone = Zeitzone
settings-game = { $game }
settings-game-on = ja
settings-game-off = nein
settings-threads = Ein Thread je Partie
settings-threads-off = nein
settings-threads-on = ja
settings-threads-only = nein, nur in Threads und Themen spielen
here-begin-title = Wer darf hier Partien beginnen?
here-begin-text = Mitspielen dürfen alle. Die Moderation darf immer beginnen.
begin-everybody = alle
begin-managers = die Moderation
begin-role = eine Rolle
here-zone-title = Zeitzone dieses Chats
here-zone-text =
    In dieser Zeitzone zeigen Bretter, wann eine Bedenkzeit endet, wenn die App nicht jedem die eigene Zeit zeigt. { $platform ->
        [discord] Wähle eine Stadt mit eurer Uhrzeit.
       *[other] Wähle eine Stadt mit eurer Uhrzeit oder schreib eine: { $command } zone Wien
    }
here-games = Spiele: { $count } von { $all }
here-games-title = Was darf hier gespielt werden?
here-close = Eine Partie schließen
here-around = Was hier nicht eingestellt ist, gilt wie im Kanal oder in der Gruppe darüber.
here-back = Zurück zu den Einstellungen
close-which = Welche Partie soll ohne Ergebnis geschlossen werden?
close-sure = Diese Partie ohne Ergebnis schließen? { $match }. Beide Spieler erfahren es, und alle hier sehen, wer sie geschlossen hat.
close-not-own = Deine eigenen Partien stehen nicht auf der Liste.
close-done = Partie #{ $match } ({ $game }) wurde von { $who } ohne Ergebnis geschlossen.

button-sessions = Browser: { $count }
sessions-title = Deine Browser
sessions-unknown = Unbekannter Browser
sessions-this =
    { $number }. { $browser } (dieser hier), { $made ->
        [0] seit heute
        [one] seit gestern
       *[other] seit { $made } Tagen
    }
sessions-other =
    { $number }. { $browser }, { $made ->
        [0] seit heute
        [one] seit gestern
       *[other] seit { $made } Tagen
    }, zuletzt benutzt { $seen ->
        [0] heute
        [one] gestern
       *[other] vor { $seen } Tagen
    }
sessions-more = … und { $count } weitere.
button-session-end = { $number } abmelden: { $browser }
button-sessions-end = Alle anderen abmelden
button-another = Browser hinzufügen
another-title = Browser hinzufügen
another-text = Öffne den Link im anderen Browser oder drück dort „Mit einem Code anmelden“ und tipp { $code }. Der Code gilt { $minutes } Minuten lang und nur einmal. Halte ihn geheim: Wer ihn hat, kann sich als du anmelden.
another-here-title = Hier anmelden?
another-here-text = Diesen Code hast du in einem Browser gemacht, in dem du angemeldet bist. Bevor sich etwas ändert, frage ich noch einmal.
another-here-link = Weiter

# --- Deine Daten

privacy-title = Deine Daten
privacy-what = Ich speichere deinen Namen und deine Kennung auf dieser Plattform, deine Sprache und Einstellungen, deine Partien mit Zügen und Ergebnissen und welche Rätsel du versucht hast.
privacy-also =
    { $platform ->
        [web] Ich speichere auch deine Nachrichten, wie weit du gelesen hast und in welchen Browsern du angemeldet bist. Ein Cookie erkennt deinen Browser und tut sonst nichts. Gute
       *[other] Gute
    } Stellungen aus Partien werden zu Rätseln für andere, ohne Namen.
privacy-seen =
    Wer in einem Chat ist, in dem eine Partie gezeigt wird, sieht, wer sie spielt. Ranglisten zeigen Namen und Ergebnisse. Wer den Link zu einer geteilten Partie hat, kann sie sehen. Namen stehen dort nur, wenn alle Beteiligten zustimmen.{ $platform ->
        [web] { " " }Schaltest du Benachrichtigungen bei geschlossener Seite ein, sieht der Push-Dienst deines Browsers, wann du eine bekommst, aber nicht ihren Text.
       *[other] { "" }
    } Sonst wird nichts weitergegeben, es gibt kein Tracking und keine Werbung.
privacy-long =
    Deine Daten bleiben, bis du sie löschst.{ $platform ->
        [web] { " " }Wer nie spielt, wird nach einer Weile gelöscht. Ein Browser ist 30 Tage nach dem Abmelden vergessen, oder wenn du ihn ein Jahr lang nicht benutzt.
       *[other] { "" }
    }
privacy-own =
    Du kannst deine Daten jederzeit herunterladen oder löschen.{ $platform ->
        [web] { "" }
       *[other] { " " }Eine Spur kann bleiben: ein Hash deiner Kennung, mit einem geheimen Schlüssel gebildet. Ich behalte ihn, wenn dich jemand blockiert hat, bis die Blockierung aufgehoben ist. Ich behalte ihn auch einen Tag lang, wenn jemand deine Herausforderungen nicht angenommen hat. Beides gilt dann auch, wenn du wiederkommst.
    }
privacy-host = Dieser Bot wird von { $name } betrieben.
privacy-host-unnamed = Der Betreiber dieses Bots hat keinen Namen angegeben. Frag, wer mich zu euch geholt hat.
privacy-contact = Kontakt: { $contact }.
privacy-page = Alles im Einzelnen: { $url }
privacy-file = Hier ist alles, was ich über dich gespeichert habe.
button-record = Als Datei
button-record-text = Text
button-record-transcript = Transkript
button-record-ggf = GGF
button-record-pgn = PGN
button-records = Alle meine Partien
button-records-older = Ältere Partien
record-file = Die Züge der Partie #{ $match } als Datei.
records-file =
    { $count ->
        [one] Deine Partie als Datei.
       *[other] Deine { $count } Partien in einer Datei.
    }
button-export = Meine Daten herunterladen
button-erase = Meine Daten löschen
button-erase-sure = Ja, { $name } löschen
button-erase-not = Nein, behalten
erase-title = Deine Daten löschen?
erase-text =
    { $platform ->
        [web] Dein Name, deine Einstellungen und deine Browser werden gelöscht und lassen sich nicht wiederherstellen.
       *[chat] Dein Name und deine Einstellungen werden gelöscht und lassen sich nicht wiederherstellen. Hat dich jemand blockiert, gilt das weiter, auch wenn du wiederkommst.
    }
erase-resigned =
    { $count ->
        [one] Eine laufende Partie wird aufgegeben.
       *[other] { $count } laufende Partien werden aufgegeben.
    }
erase-unplayed =
    { $count ->
        [one] Eine laufende Partie ohne Zug von dir endet ohne Ergebnis.
       *[other] { $count } laufende Partien ohne Zug von dir enden ohne Ergebnis.
    }
erase-played = Deine beendeten Partien bleiben, ohne deinen Namen.
erase-said =
    { $count ->
        [one] Die Nachricht, die du geschrieben hast, wird gelöscht.
       *[other] Die { $count } Nachrichten, die du geschrieben hast, werden gelöscht.
    }
erase-kept = Was die Chat-App selbst aufhebt, etwa deine eigenen Nachrichten, kannst nur du löschen.
erased-title = Konto gelöscht
erased = Deine Daten sind gelöscht. Danke fürs Spielen! Wenn du wiederkommst, fängst du neu an.

# --- Befehle

# Wörter, die man für Namen, Auswahl und Züge tippt. Die aller Sprachen gelten.

word-new = neu
word-with = mit gegen zu
word-the = den dem die
word-everywhere = überall
word-month = monat
word-all = alle alles gesamt
word-won = gewonnen
word-drawn = unentschieden
word-lost = verloren
word-rated = gewertet
word-unrated = ungewertet
word-takebacks = rücknahme rücknahmen
word-hints = tipps tipp
word-clock = uhr zeit bedenkzeit
word-computer = computer ki rechner
word-level = stufe
word-untimed = unbegrenzt
word-from = von
word-until = bis zum
word-oclock = uhr
word-none = keine aus
word-back = ende zurück
word-span-d = t tag tage
word-span-w = w woche wochen
word-span-h = std stunde stunden
word-span-m = min minute minuten
word-span-s = sek sekunde sekunden
word-first = zuerst
word-second = danach
word-slow = langsam langsamer
word-fast = schnell schneller
word-as = als

# Namen der Befehle, einer oder mehrere. Der erste wird gezeigt. Die aller Sprachen gelten.

command-play = spielen spiele
command-challenge = herausfordern
command-accept = annehmen
command-join = beitreten mitspielen
command-decline = ablehnen
command-withdraw = zurückziehen zurueckziehen
command-board = brett
command-next = weiter nächstes
command-moves = züge zuege
command-clock = bedenkzeit uhr
command-draw = unentschieden remis
command-hint = tipp hinweis
command-analyse = analyse rückblick rueckblick
command-export = exportieren export herunterladen
command-share = teilen veröffentlichen
command-replay = wiedergabe wiederholung nachspielen
command-import = importieren import
command-puzzle = rätsel raetsel puzzle
command-takeback = zurücknehmen zuruecknehmen zurück zurueck rücknahme ruecknahme
command-nudge = anstupsen erinnern stupsen
command-claim = beanspruchen
command-abort = abbrechen abbruch
command-resign = aufgeben
command-rematch = revanche
command-matches = partien
command-leaderboard = rangliste bestenliste
command-stats = statistik bilanz wertung
command-history = verlauf historie
command-rules = regeln
command-help = hilfe befehle
command-language = sprache
command-quiet = ruhe ruhezeit
command-holiday = urlaub ferien
command-settings = einstellungen
command-block = blockieren
command-unblock = freigeben
command-privacy = datenschutz
command-here = hier

help-title = So wird gespielt
help-text =
    { $platform ->
        [discord] Tipp einen Befehl und wähle seine Optionen, oder drück einen Knopf. Zum Ziehen drück ein Feld, oder tipp zum Beispiel /othello zug:d3.
        [telegram] Tipp einen Befehl, oder drück einen Knopf. Zum Ziehen drück ein Feld, oder tipp zum Beispiel /othello d3.
        [console] Tipp einen Befehl oder eine Aufschrift in Klammern, zum Ziehen zum Beispiel d3. Die Tab-Taste ergänzt.
       *[web] Tipp einen Befehl, oder drück einen Knopf. Zum Ziehen tipp aufs Bild, oder zum Beispiel /othello d3.
    }
help-group-start = Spielen:
help-group-answer = Herausforderungen und Angebote:
help-group-play = In der Partie:
help-group-end = Einigen, warten, aufhören:
help-group-past = Partien ansehen und mitnehmen:
help-group-learn = Lernen und vergleichen:
help-group-set = Einstellen:
button-help-all = Alle Befehle
help-play = ein Spiel wählen
help-challenge = jemanden herausfordern oder eine offene Herausforderung erstellen
help-accept = eine Herausforderung oder ein Angebot annehmen
help-join = mit einem Code mitspielen
help-decline = eine Herausforderung oder ein Angebot ablehnen
help-withdraw = deine Herausforderung oder dein Angebot zurückziehen
help-board = dein Brett noch einmal zeigen
help-next = das Brett zeigen, das am längsten auf dich wartet
help-moves = die Züge einer Partie auflisten
help-clock = eine andere Bedenkzeit vorschlagen oder annehmen
help-draw = ein Unentschieden anbieten oder annehmen
help-hint = einen Zug vorschlagen lassen, wenn die Partie es erlaubt
help-analyse = eine beendete Partie analysieren: Wendepunkte und Genauigkeit
help-export = die Züge einer Partie oder aller deiner Partien als Datei schicken
help-share = einen Link zu einer Partie bekommen, den alle öffnen können
help-replay = eine Partie oder einen Teil davon wiedergeben
help-import = die Aufzeichnung einer Partie öffnen
help-puzzle = ein gewertetes Rätsel lösen: Finde den besten Zug
help-takeback = um Rücknahme deines letzten Zugs bitten oder sie erlauben
help-nudge = an den Zug erinnern, in einer Partie ohne Bedenkzeit
help-claim = eine Partie beanspruchen, in der die Gegenseite nicht mehr zieht
help-abort = eine Partie abbrechen: am Anfang allein, später, wenn beide wollen
help-resign = eine Partie aufgeben; vor deinem ersten Zug zählt sie nicht
help-rematch = deine letzte Partie hier noch einmal, mit vertauschten Seiten
help-matches = deine laufenden und beendeten Partien auflisten
help-leaderboard = die Besten zeigen
help-stats = deine Statistik zeigen oder die von jemand anderem
help-history = beendete Partien auflisten, deine oder die von jemand anderem
help-rules = ein Spiel erklären
help-help = die wichtigsten oder alle Befehle zeigen
help-language = die Sprache wählen, in der ich dir antworte
help-quiet = Stunden ohne Erinnerungen festlegen
help-holiday = deine Bedenkzeiten anhalten, solange du weg bist
help-settings = Farben, Punkte, Seite des Bretts und mehr einstellen
help-block = jemanden blockieren
help-unblock = eine Blockierung aufheben
help-privacy = deine Daten ansehen, herunterladen oder löschen
help-here = Einstellungen dieses Chats ändern, eine Partie schließen
help-new = eine neue Partie beginnen
help-unrated = ändert keine Wertung
help-takebacks = Züge dürfen zurückgenommen werden
help-hints = beide dürfen Tipps bekommen; ungewertet
help-everywhere = auch Spieler von anderswo, nur für dich
help-month = Partien aus diesem Monat
help-all = alle Partien

help-computer-title = Der Computer
help-computer = Spiel sofort gegen den Computer, in jedem Spiel: { $before }computer. Du kannst eine Stufe wählen: { $before }computer 3. Diese Partien sind ungewertet und ohne Uhr, und { $hint } zeigt dir einen guten Zug. Stufen:
help-computer-level = { $level }. { $name }: { $about }

# Steht nach der Hilfe zu einem einzelnen Befehl.

example-clock = Zum Beispiel: { $command } 3t (3 Tage je Zug), { $command } 10m+5s (10 Minuten für die Partie, 5 Sekunden mehr mit jedem Zug), { $command } keine
example-holiday = Zum Beispiel: { $command } 2w, { $command } bis 24.12., { $command } ende
example-quiet = Zum Beispiel: { $command } 22-7 Berlin, { $command } 22-7 UTC+5:30, { $command } aus
example-leaderboard = Zum Beispiel: { $command } othello monat, { $command } sogo alle überall
example-stats = Zum Beispiel: { $command } @Name, { $command } othello, { $command } @Name othello
example-history = Zum Beispiel: { $command } @Name, { $command } othello gewonnen

argument-game = Spiel
argument-user = @Name
argument-move = Zug
argument-match = Partienummer
argument-record = Aufzeichnung
argument-hours = Stunden und Stadt
argument-days = Tage
argument-clock = Bedenkzeit
argument-code = Code
argument-language = Sprache
argument-command = Befehl
argument-options = Optionen
argument-replay = Züge, Tempo und Seite
argument-people = überall
argument-period = monat oder alle
argument-result = gewonnen, unentschieden oder verloren

# --- Fehler

error-over = Diese Partie ist zu Ende.
error-not-your-turn = Du bist nicht am Zug.
error-notation = Den Zug „{ $text }“ verstehe ich nicht.
error-notation-example = Den Zug „{ $text }“ verstehe ich nicht. Zum Beispiel: { $example }
error-notation-letter = Das „{ $letter }“ in „{ $text }“ ist kein lateinischer Buchstabe. Zum Beispiel: { $example }
error-notation-name = „{ $text }“ ist weder ein Zug noch ein Spieler, den ich kenne. Zum Beispiel: { $example }
error-notation-order = Schreib zuerst die Spalte, zum Beispiel { $example }.
error-notation-pass = In diesem Spiel kann man nicht passen. Zum Beispiel: { $example }
error-notation-several =
    „{ $text }“ sieht nach mehreren Zügen aus. Spiel einen nach dem anderen, zum Beispiel { $example }. { $platform ->
        [web] Eine Aufzeichnung öffnest du unter „{ web-games }“ mit „{ web-import }“.
       *[other] Eine Aufzeichnung öffnest du mit /importieren.
    }
error-off-board = { $square } liegt nicht auf diesem Brett.
error-ambiguous = Das könnten mehrere Züge sein: { $moves }
error-setup = Das ist keine Stellung dieses Spiels.
error-wrong-seat = Das ist keine Aufzeichnung dieses Spiels.
error-not-notation = Das ist keine Aufzeichnung dieses Spiels.
error-unknown-option = Die Option „{ $option }“ gibt es nicht. Möglich sind: { $options }
error-unknown-choice = „{ $value }“ passt nicht zu „{ $option }“. Möglich sind: { $choices }
error-option-unknown = „{ $word }“ verstehe ich nicht. Möglich sind: { $options }
error-options-new =
    { $platform ->
        [discord] Optionen gehören zu einer neuen Partie. Lass den Zug weg oder fordere jemanden heraus.
       *[other] Optionen gehören zu einer neuen Partie. Schreib „neu“ dazu oder fordere jemanden heraus.
    }
error-options-which-game = Diese Optionen gehören zu einem Spiel. Schreib eines dazu: { $games }
error-option-ambiguous = „{ $word }“ könnte mehrere Optionen meinen. Nimm eine davon: { $options }
error-option-or-name = Ich kenne weder eine Option noch einen Spieler namens „{ $word }“. Möglich sind: { $options }

error-stale = Das Brett hat sich geändert.
error-no-such-match = Eine Partie #{ $match } gibt es hier nicht.
error-match-number = „{ $word }“ ist keine Partienummer. Nimm eine Nummer, zum Beispiel #12.
error-no-match-of = Du hast hier keine passende Partie { $game }.
error-code-missing = Der Code fehlt. Er sieht so aus: k7mf-2qtx-9wpa
error-person-gone = Dieses Konto ist gelöscht. Andere Gegner findest du mit /spielen
error-forgotten = Deine Daten hier sind gelöscht. Fang gern von vorn an.
error-nothing-stored = Ich habe noch keine Daten über dich, also gibt es hier nichts zu sehen oder zu ändern. Das beginnt mit deiner ersten Partie.
error-no-such-code = Dieser Code oder Link gilt nicht oder nicht mehr. Lass dir einen neuen geben.
error-code-used = Dieser Code ist schon benutzt. Bitte { $name } um einen neuen.
error-code-used-up = Dieser Code ist schon benutzt.
error-link-unknown = Dieser Link gilt nicht oder nicht mehr. Lass dir einen neuen geben.
error-no-match = Du hast hier keine laufende Partie. Wie wäre es mit /spielen?
error-no-match-here = Du hast hier keine laufende Partie { $game }. Mit { $command } beginnst du eine.
error-no-offer = Dieses Angebot gilt nicht mehr.
error-offer-own = Das ist dein eigenes Angebot. Dein Gegner muss antworten.
error-offer-theirs = Zurückziehen kann das nur, wer es angeboten hat.
error-offer-open = Du hast schon gefragt. Warte auf die Antwort oder zieh dein Angebot erst zurück.
error-offer-answer-first = Dein Gegner hat dazu schon ein Angebot gemacht. Nimm es erst an oder lehne es ab.
error-offer-too-soon =
    Danach hast du erst vor Kurzem gefragt. { $moves ->
        [one] Nach dem nächsten Zug
       *[other] Nach { $moves } weiteren Zügen von euch beiden zusammen
    } kannst du wieder fragen.
error-offer-just-agreed =
    Darauf habt ihr euch eben erst geeinigt. { $moves ->
        [one] Nach dem nächsten Zug
       *[other] Nach { $moves } weiteren Zügen von euch beiden zusammen
    } kannst du wieder fragen.
error-offer-at-once = Das Brett hat sich eben geändert. Um ein Angebot zu beantworten, versuch es in drei Sekunden noch einmal.
error-offer-none = In dieser Partie ist kein Angebot offen.
error-offer-alone = Du spielst allein. Da ist kein Gegner, mit dem du dich einigen könntest.
error-takeback-reveals = In diesem Spiel gibt es keine Rücknahme: Was ein Zug verraten hat, bleibt bekannt.
error-takeback-rated =
    { $platform ->
        [discord] Keine Rücknahme: Diese Partie ist gewertet, und ihr habt keine vereinbart. Wähle nächstes Mal die Option „{ field-takebacks }“, oder spielt ohne Wertung.
       *[other] Keine Rücknahme: Diese Partie ist gewertet, und ihr habt keine vereinbart. Schreib nächstes Mal „rücknahme“ oder „ungewertet“ hinter die Herausforderung.
    }
error-takeback-nothing = Du hast noch keinen Zug gemacht, den du zurücknehmen könntest.
error-rematch-at-once = Die Partie ist eben zu Ende gegangen. Für eine Revanche versuch es in drei Sekunden noch einmal.
error-rematch-terms = { $rematch } wiederholt deine letzte Partie, ohne Optionen. Für andere Optionen gibt es { $challenge }.
error-no-rematch = Du hast hier noch keine Partie beendet. Wie wäre es mit /spielen?
error-match-over = Diese Partie ist zu Ende.
error-not-begun = Diese Partie hat noch nicht begonnen.
error-not-in-match = Du spielst in dieser Partie nicht mit.
error-too-many-together = Höchstens { $most } auf einmal.
error-nothing-private = Gerade gibt es privat nichts zu tun.
error-no-challenge = Hier wartet keine Herausforderung und kein Angebot auf dich.
error-nothing-open = Du hast keine Herausforderung und kein Angebot offen.
error-challenge-self = Dich selbst kannst du nicht herausfordern.
error-no-computer = Hier spielt kein Computer. Fordere jemanden heraus oder erstelle eine offene Herausforderung.
error-computer-away = Der Computer ist gerade nicht erreichbar. Versuch es in ein paar Minuten noch einmal oder fordere jemanden heraus.
error-no-computer-for = Mit diesen Optionen kann ich { $game } nicht spielen. Fordere jemanden heraus oder erstelle eine offene Herausforderung.
error-unknown-level = Eine Stufe „{ $level }“ gibt es nicht. Wähle 1 bis { $most }.
error-stats-hidden = { $name } behält die eigene Statistik für sich.
error-no-such-page = Eine Seite { $page } gibt es nicht.
error-stats-house = Bots haben keine Statistik.
error-quiet-hours = Von wann bis wann? Zum Beispiel: { $before }22-7
error-holiday-days = Wie viele Tage, oder bis wann? Zum Beispiel: { $before }2w, { $before }bis 24.12.
error-holiday-never = Urlaub gibt es hier nicht.
error-holiday-most = Mehr als { $days } Tage im Jahr sind nicht möglich.
error-holiday-budget =
    { $days ->
        [0] Du hast in diesem Jahr keine Urlaubstage mehr.
        [one] Du hast nur noch einen Urlaubstag.
       *[other] Du hast nur noch { $days } Urlaubstage.
    }
error-zone-unknown = Die Uhrzeit in „{ $town }“ kenne ich nicht. Nenn die Hauptstadt, eine große Stadt mit derselben Uhrzeit oder den Abstand zu UTC: { $before }Berlin, { $before }UTC+5:30
error-zone-which = Welche davon: { $towns }? Zum Beispiel: { $before }Berlin
error-clock-unknown = Die Bedenkzeit „{ $clock }“ gibt es nicht. Tage je Zug: { $days }, zum Beispiel 3t. Zeit für die Partie plus Zeit je Zug: 3m+5s bis 10t+36h, zum Beispiel 10m+5s.
error-clock-two = Das sind mehrere Bedenkzeiten: { $clocks }. Wähle eine.
error-clock-same = Diese Bedenkzeit habt ihr schon.
error-clock-which = Welche Bedenkzeit? Zum Beispiel: { $before }3t
error-clock-alone = Allein spielt man ohne Uhr.
error-hint-not-agreed =
    { $platform ->
        [discord] Diese Partie hat keine Tipps. Es gibt sie gegen den Computer, oder wenn ihr sie vorher vereinbart: { $command }, Option „{ field-hints }“.
       *[other] Diese Partie hat keine Tipps. Es gibt sie gegen den Computer, oder wenn ihr sie vorher vereinbart: { $command } @Name { $word }
    }
error-hint-alone =
    { $platform ->
        [discord] Diese Partie zählt, also gibt es keine Tipps. Mit Tipps, aber ohne Rangliste: { $command }, Option „{ field-hints }“.
       *[other] Diese Partie zählt, also gibt es keine Tipps. Mit Tipps, aber ohne Rangliste: { $command } neu { $word }
    }
error-hint-not-your-turn = Dein Gegner ist am Zug.
error-hint-late = Inzwischen hat jemand gezogen. Frag noch einmal.
error-thinking-busy = Andere haben vor dir gefragt. Versuch es bitte gleich noch einmal.
error-thinking-slow = Das dauert länger als sonst. Versuch es bitte gleich noch einmal.
error-thinking-elsewhere = Der Computer ist hier nicht erreichbar.
error-thinking-failed = Das hat nicht geklappt. Versuch es bitte noch einmal.
error-share-none = Du hast hier keine Partie, die man teilen kann. Wie wäre es mit /spielen?
error-share-secret = Diese Partie kannst du teilen, wenn sie vorbei ist. Vorher könnte die Seite etwas verraten.
error-share-taken-back = Die andere Seite teilt diese Partie nicht mehr.
error-share-too-many = Du hast heute schon { $count } Partien geteilt. Bitte versuch es morgen wieder.
error-analyse-none = Du hast hier noch keine Partie beendet. Wie wäre es mit /spielen?
error-analyse-running = Diese Partie läuft noch. Analysieren kannst du sie, wenn sie zu Ende ist.
error-analyse-empty = In dieser Partie wurde kein Zug gespielt.
error-analyse-game = Mit diesen Optionen kann ich { $game } nicht analysieren.
error-analyse-house = Analysen gibt es hier nicht.
error-analyse-busy = Ich analysiere noch eine andere Partie für dich. Warte bitte, bis sie fertig ist.
error-analyse-puzzle = Das war ein Rätsel. Auf seinem Brett steht die Lösung.
error-replay-none = Du hast hier noch keine Partie beendet. Wie wäre es mit /spielen?
error-replay-impossible = Diese Partie lässt sich nicht wiedergeben, oder erst nach ihrem Ende.
error-replay-moves = Diese Partie hat { $count } Züge. Eine Wiedergabe zeigt 1 bis { $most } davon, zum Beispiel 10-20.
error-replay-unknown = Ich verstehe „{ $word }“ nicht. Beispiel: { $before }10-20 langsam als Weiß
error-replay-failed = Die Wiedergabe ließ sich nicht zeichnen. Versuch es bitte noch einmal.
error-hint-puzzle = In Rätseln gibt es keine Tipps. Für die Antwort wähl „Lösung zeigen“.
error-offer-puzzle = Das ist ein Rätsel. Da ist kein Gegner, mit dem du dich einigen könntest.
error-import-what = Gib eine Aufzeichnung an, als Text oder als Datei: { $before } f5d6c3
error-import-large = Diese Datei ist zu groß. Ich lese bis zu { $most } MB.
error-import-file = Die Datei ist nicht angekommen. Schick sie bitte noch einmal.
error-import-none = Das kann ich nicht lesen. { $why }
error-import-gone = Diese Datei habe ich nicht mehr. Schick sie bitte noch einmal.
error-study-here = Studien sind privat. Das Brett ist in unserem privaten Chat.
error-too-many-studies = Du hast { $count } offene Studien. Schließ erst eine.
error-try-running = Züge probieren kannst du, wenn diese Partie zu Ende ist.
error-try-over = { $game } ist hier zu Ende. Wähl eine frühere Stellung.
error-rematch-study = In einer Studie gibt es keine Revanche. Nimm *Züge probieren*.
error-puzzle-here = Rätsel sind für dich allein. Das Brett ist in unserem privaten Chat.
error-puzzle-none =
    { $platform ->
        [web] Kein neues Rätsel für dich. Neue entstehen aus analysierten Partien.
       *[other] Kein neues Rätsel für dich. Neue entstehen aus analysierten Partien: { $command }
    }
error-puzzle-none-of = Kein neues Rätsel zu { $game } für dich, nur zu: { $games }
error-puzzle-game = Zu { $game } gibt es keine Rätsel. Wähl: { $games }
error-rated-computer = Partien gegen den Computer werden nie gewertet.
error-rated-not = So kann die Partie nicht gewertet werden: Tipps und manche Varianten sind immer ungewertet.
error-clock-computer = Gegen den Computer spielt man ohne Uhr.
claim-warned = Die Gegenseite ist nicht mehr hier. Ich sage ihr jetzt Bescheid. Einen Tag später kannst du die Partie beanspruchen.
error-not-waiting = Das geht nur, wenn du auf einen Zug wartest, in einer Partie zu zweit ohne Bedenkzeit.
error-nudge-early = Anstupsen geht einmal am Tag, frühestens einen Tag nach dem letzten Zug.
error-nudge-left = { $name } ist nicht mehr in diesem Chat. Du kannst die Partie beanspruchen: { $command }
error-nudge-silent = { $name } wird nicht benachrichtigt. Bitte hab Geduld.
error-opponent-away = Die Gegenseite ist im Urlaub bis zum { $day }. Bitte warte so lange.
error-claim-at-once = Das Brett hat sich eben geändert. Um die Partie zu beanspruchen, versuch es in drei Sekunden noch einmal.
error-claim-early =
    { $days ->
        [0] Beanspruchen kannst du eine Partie nur, wenn die Gegenseite nicht mehr hier ist. Sie erfährt es einen Tag vorher.
       *[other] Beanspruchen kannst du eine Partie nach { $days } Tagen ohne Zug, oder wenn die Gegenseite nicht mehr hier ist. Sie erfährt es einen Tag vorher.
    }
error-claim-soon = Die Gegenseite ist benachrichtigt. Einen Tag danach kannst du die Partie beanspruchen.
error-too-late = Die Zeit war schon abgelaufen. Diese Partie ist zu Ende.
error-challenge-alone = Mit diesen Optionen spielt man { $game } allein.
error-challenge-for-other = Diese Herausforderung ist für jemand anderen.
error-challenge-not-yours = Das ist nicht deine Herausforderung.
error-accept-own = Das ist deine eigene Herausforderung. Jemand anderes muss sie annehmen.
error-challenge-running = Diese Herausforderung ist schon angenommen.
error-challenge-over = Diese Partie ist schon zu Ende.
error-challenge-declined = Diese Herausforderung wurde abgelehnt.
error-challenge-withdrawn = Diese Herausforderung wurde zurückgezogen.
error-challenge-expired = Diese Herausforderung ist abgelaufen.
error-too-many-challenges =
    { $count ->
        [one] Du hast schon eine offene Herausforderung. Warte auf eine Antwort, oder zieh sie zurück.
       *[other] Du hast schon { $count } offene Herausforderungen. Warte auf eine Antwort, oder zieh eine zurück.
    }
error-challenged-enough =
    { $name } hat { $count ->
        [one] eine Herausforderung von dir
       *[other] { $count } Herausforderungen von dir
    } nicht angenommen. Versuch es { $hours ->
        [0] { $minutes ->
            [one] in einer Minute
           *[other] in { $minutes } Minuten
        }
        [one] in einer Stunde
       *[other] in { $hours } Stunden
    } wieder.
error-takes-no-challenges = { $name } nimmt im Augenblick keine Herausforderungen an. Versuch es bitte später noch einmal.
error-you-have-blocked = Du hast { $name } blockiert. Rückgängig: /freigeben
error-block-self = Dich selbst kannst du nicht blockieren.
error-block-house = Mich kannst du nicht blockieren, aber ungefragt sage ich nichts.
error-not-blocked = Du hast { $name } nicht blockiert.
error-too-many-matches =
    { $count ->
        [one] Du hast schon eine Partie laufen. Spiel sie erst zu Ende, oder gib mit /aufgeben auf.
       *[other] Du hast schon { $count } Partien laufen. Spiel erst eine zu Ende, oder gib mit /aufgeben auf.
    }
error-too-many-matches-theirs = { $name } hat schon zu viele laufende Partien. Versuch es bitte später noch einmal.
error-too-many-lines =
    { $minutes ->
        [one] Du hast in einer Stunde { $count } Nachrichten geschrieben (Bretter, die du zeigst, zählen mit). Warte bitte eine Minute.
       *[other] Du hast in einer Stunde { $count } Nachrichten geschrieben (Bretter, die du zeigst, zählen mit). Warte bitte { $minutes } Minuten.
    }
error-unknown-game = Das Spiel „{ $word }“ gibt es nicht. Du kannst spielen: { $games }
error-unknown-command = { $word } kenne ich nicht. { $help } zeigt alle Befehle.
error-unknown-command-near = { $word } kenne ich nicht. Meinst du { $near }? { $help } zeigt alle Befehle.
error-unknown-opponent = Ich kenne weder einen Spieler noch ein Spiel namens „{ $word }“. Zum Beispiel: { $command } @Name othello. Du kannst spielen: { $games }
error-unknown-person =
    „{ $name }“ kenne ich hier nicht.{ $platform ->
        [web] { " " }Schreib @ und wähl einen Namen.
       *[other] { "" }
    }
error-unknown-username = „{ $name }“ kenne ich hier nicht. Antworte mit deinem Befehl auf eine Nachricht dieser Person, wähl den Namen aus der Liste nach @, oder schreib @ und den Benutzernamen.
error-name-no-move =
    { $platform ->
        [telegram] „{ $name }“ ist kein Zug. Um jemanden herauszufordern, antworte mit { $command } neu auf eine Nachricht dieser Person, wähl den Namen aus der Liste nach @, oder schreib den Benutzernamen: { $command } @Name
        [discord] „{ $name }“ ist kein Zug. So forderst du jemanden heraus: { $command }, Option „wer“.
       *[other] „{ $name }“ ist kein Zug. So forderst du jemanden heraus: { $command } @Name
    }
error-challenge-name-game = Schreib das Spiel dazu: /herausfordern @{ $name } othello. Du kannst spielen: { $games }
error-unknown-language = „{ $word }“ spreche ich noch nicht. Es gibt: { $languages }
error-ambiguous-language = „{ $word }“ könnte mehrere Sprachen meinen. Welche davon: { $languages }?
error-unknown-value = „{ $value }“ passt nicht zu „{ $setting }“. Möglich sind: { $choices }
error-unknown-setting = Die Einstellung „{ $word }“ gibt es nicht. { $command } zeigt alle Einstellungen.
error-record-hidden = Die Züge dieser Partie bleiben bis zum Ende geheim.
error-no-records = Du hast keine Partien, die sich exportieren lassen.
error-record-form = Ich kenne das Format „{ $form }“ für dieses Spiel nicht. Möglich sind: { $forms }
error-record-form-options = Dieses Format hat keinen Platz für die Optionen dieser Partie.
error-record-form-setup = Dieses Format hat keinen Platz für die Anfangsstellung dieser Partie.
error-record-too-large = Die Datei ist zu groß. Ich lese höchstens { $most } MB.
error-record-games = Die Datei hat zu viele Partien. Ich lese höchstens { $most }.
error-record-moves = Eine Partie hat zu viele Züge. Ich lese höchstens { $most }.
error-record-binary = Das ist kein Text und keine Datei, die ich kenne.
error-record-empty = In dieser Datei ist keine Partie.
error-record-unknown = Zeile { $line }: „{ $move }“ verstehe ich nicht.
error-record-which = Das könnte zu mehreren Spielen gehören: { $games }
error-record-game = Ich kenne das Spiel „{ $game }“ nicht.
error-record-other-game = Diese Partie gehört zu einem anderen Spiel: { $game }
error-record-board = Ich lese Partien auf 8 mal 8 Feldern, nicht { $size }.
error-record-counts = Die Datei ist beschädigt: Sie hat nicht die { $games } Partien, die sie ankündigt.
error-record-names = Das sind nur die Namen. Schick sie mit der Datei der Partien in einer Zip-Datei.
error-export-too-large = Deine Daten sind zu groß, um sie hier zu schicken. Der Betreiber kann sie dir geben: { $contact }
error-managers-only = Diese Einstellungen kann nur die Moderation ändern.
error-host-only = Die Einstellungen dieser Räume kann nur der Betreiber ändern.
error-here-direct = Das ist unser privater Chat: Da gibt es nichts zu moderieren. Deine eigenen Einstellungen: /einstellungen
error-game-not-here = { $game } wird hier nicht gespielt. Hier geht: { $games }; in unserem privaten Chat alles.
error-no-game-here = Hier wird nicht gespielt. In unserem privaten Chat geht alles.
error-threads-only = Hier wird nur in Threads und Themen gespielt. Öffne eins und beginne dort oder spiel in unserem privaten Chat.
error-begin-managers = Hier darf nur die Moderation Partien beginnen. Du kannst mitspielen oder in unserem privaten Chat beginnen.
error-begin-role = Hier darf nur Partien beginnen, wer die Rolle „{ $role }“ hat. Du kannst mitspielen oder in unserem privaten Chat beginnen.
error-begin-some = Hier dürfen nur manche Partien beginnen. Du kannst mitspielen oder in unserem privaten Chat beginnen.
error-not-played-there = In dem Chat, in dem diese Partie gespielt werden soll, ist sie nicht mehr erlaubt.
error-shut-out = Der Betreiber hat mich in diesem Chat abgeschaltet, darum antworte ich hier nicht mehr. Privat antworte ich weiter, und deine Partien laufen: /partien
error-close-elsewhere = Diese Partie wurde in einem anderen Chat begonnen und kann nur dort geschlossen werden.
error-close-own = Diese Partie spielst du selbst. Beende sie mit { $resign } oder { $abort } oder lass sie jemand anderen von der Moderation schließen.
error-close-none = Hier läuft keine Partie.
error-nothing-begun = Tipp erst ein Feld des Bretts an, dann diese Taste.
error-button-unknown = Dieser Knopf geht nicht mehr. /brett zeigt das Brett neu.
error-too-long = Das ist zu lang. Höchstens { $most } Zeichen gehen.
error-too-long-record =
    Das ist zu lang für einen Zug. { $platform ->
        [web] Eine Aufzeichnung öffnest du unter „{ web-games }“ mit „{ web-import }“.
       *[other] Eine Aufzeichnung öffnest du mit /importieren.
    }
error-too-fast = Zu schnell. Warte kurz, dann versuch es noch einmal.
outdated = Das hat zu lange gedauert und stimmt nicht mehr. Frag bitte noch einmal.
error-name-empty = Bitte wähl einen Namen, den man lesen kann.
error-not-stored = Das konnte ich nicht speichern, also hat sich nichts geändert. Versuch es bitte gleich noch einmal.
error-store-gone = Die Datenbank ist nicht erreichbar: Ich kann nichts laden und nichts speichern. Der Betreiber findet den Grund im Protokoll.
error-ours = Bei mir ist etwas schiefgegangen. Verloren ist nichts. Versuch es bitte noch einmal.

# --- Die Webseite. Ihre Parameter (count, name, room) füllt der Browser.

web-tagline = Setz dich, spiel, geh weiter.
web-language = Sprache
web-name = Wie heißt du hier?
web-name-hint = Ein Name genügt. Dieser Browser merkt ihn sich mit einem Cookie.
web-enter = Eintreten
web-take-name = „{ $name }“ nehmen
web-have-code = Mit einem Code anmelden
web-also = Mit einem Code anmelden
web-code = Der Code aus deinem anderen Browser
web-next = Weiter
web-cancel = Abbrechen
web-unreachable = Der Server antwortet nicht. Versuch es bitte gleich noch einmal.
web-noscript = Azumaya braucht JavaScript.
web-skip = Zum Eingabefeld springen
web-home = Start
web-places = Bereiche
web-games = Partien
web-puzzles = Rätsel
web-leaderboard = Rangliste
web-settings = Einstellungen
web-more = Mehr
web-home-lead = Brettspiele im Browser: gegen den Computer oder mit Freunden. Ohne Konto.
web-open-challenges = Offene Herausforderungen
web-watch = Zuschauen
web-accept = Annehmen
web-challenge-one = Herausfordern
web-alone = Spielen
web-with-people = Menschen
web-puzzles-text = Finde den besten Zug. Deine Rätselwertung passt sich an.
web-nowhere = Nicht gefunden
web-nowhere-text = Diese Seite gibt es nicht oder nicht mehr.
web-blocked = Blockierte
web-block = Blockieren
web-privacy = Datenschutz
web-rooms = Räume
web-open-rooms = Raumliste öffnen
web-channels = Räume
web-direct = Direktnachrichten
web-people = Online
web-play = Spielen
web-help = Hilfe
web-keys = Tasten: / beginnt einen Befehl, F2 führt zum Brett, das am längsten auf dich wartet, Esc schließt, was offen ist.
web-rules = Regeln
web-go-back = Zurück
web-challenge = { $name } herausfordern
web-play-computer = Gegen { $name } spielen
web-start = Los
web-start-open = Offene Herausforderung
web-start-code = Link erzeugen
web-stats = Statistik
web-options = Optionen
web-kind-alone = Allein
web-kind-computer = Computer
web-kind-friend = Freunde
web-kind-anyone = Egal wer
web-kind-anyone-about = Wer hier im Raum ist, kann annehmen.
web-takebacks-always = In ungewerteten Partien immer erlaubt.
web-level = Stufe
web-clock-none = Unbegrenzt
web-clock-days = Tage
web-clock-live = Live
web-whom-code = Link verschicken
web-whom-code-about = Du bekommst einen Link zum Verschicken. Nur wer ihn hat, kann mitspielen.
web-whom-other = Jemand anders
web-whom-name = Wie heißt sie oder er?
web-close = Schließen
web-alerts = Benachrichtigungen
web-alerts-text = Bei deinem Zug, bei Herausforderungen und Angeboten. Dieser Browser merkt sich deine Wahl.
web-alerts-notify = Benachrichtige mich, wenn diese Seite im Hintergrund ist
web-alerts-push = Benachrichtige mich, auch wenn diese Seite geschlossen ist
web-alerts-sound = Ein leiser Ton
web-alerts-no = Dieser Browser blockiert Benachrichtigungen von dieser Seite. In seinen Einstellungen lässt sich das ändern.
web-alerts-none = Dieser Browser kann keine Benachrichtigungen zeigen.
web-theme = Zwischen hell und dunkel wechseln
web-sounds = Töne bei Zügen
web-motion = Züge animieren
web-leave = Abmelden
web-leaving-title = Abmelden?
web-leaving-text = Dieser Browser vergisst, wer du bist. Bist du in keinem anderen Browser angemeldet (/einstellungen, Browser), kannst du unter deinem Namen nicht zurückkommen. Deine laufenden Partien bleiben dann ohne Spieler.
web-stay = Bleiben
web-house = Azumaya
web-messages = Nachrichten in { $room }
web-write = Nachricht, Zug oder /Befehl
web-write-direct = Nur für dich: Zug oder /Befehl
web-line = Nachricht
web-send = Senden
web-suggestions = Vorschläge
web-suggestion-count = Vorschläge: { $count }
web-board = Brett: { $name }
web-your-turn = Du bist am Zug
web-record = Zug um Zug
web-step-first = Zum Anfang
web-step-back = Einen Zug zurück
web-step-on = Einen Zug weiter
web-step-last = Zum Ende
web-step-download = Als GIF herunterladen
web-moment = Wendepunkt: Zug { $count }
web-ahead = { $name } vorn
web-step-at = Zug { $count } von { $of }
web-record-empty = Noch kein Zug.
web-board-view = Brett
web-talk-view = Chat
web-back-to = Zurück zu { $room }
web-board-at-side = Zum Brett
web-plays = { $name } spielt { $game }
web-plays-against = { $name } spielt { $game } gegen { $other }
web-board-others = Deine Bretter in diesem Raum
web-you = du
web-you-play = du, { $side }
web-over = Beendet
web-only-you = Nur du siehst das
web-history = Beendete Partien
web-history-empty = Keine beendeten Partien.
web-all-games = Alle Spiele
web-all-results = Alle Ergebnisse
web-won = Gewonnen
web-drawn = Unentschieden
web-lost-game = Verloren
web-rated = Nur gewertete
web-my-matches = Deine Partien
web-import = Partie importieren
web-import-text = Züge oder eine Aufzeichnung
web-import-open = Öffnen
web-import-file = Datei wählen
web-study = Privates Brett
web-over-to = { $name } ist am Zug
web-asked = Herausforderungen: { $count }
web-asked-in = Du bist herausgefordert in { $room }
web-asked-you = Wartet auf deine Antwort
web-offered = Angebote: { $count }
web-offered-in = Ein Angebot für dich in { $room }
web-offered-you = Ein Angebot für dich
web-offered-you-more = { $count } Angebote für dich
web-unanswered = Noch keine Antwort
web-for-you = Für dich
web-next-board = Zur nächsten Partie, die auf dich wartet
web-next-none = Gerade wartet keine Partie auf dich.
web-next-in = Zur Partie, die in { $room } auf dich wartet: { $count }
web-turn-in = Du bist am Zug in { $room }
web-waiting = du bist am Zug: { $count }
web-unread = ungelesen: { $count }
web-new = Neu
web-jump = Neueste
web-jump-new = Neu: { $count }
web-empty = Noch keine Nachrichten. Tipp /, um alle Befehle zu sehen.
web-copy-link = Link kopieren
web-copied = Kopiert
web-share = Teilen
web-opening = Wird geladen …
web-loading = Frühere Nachrichten werden geladen …
web-not-sent = Nicht gesendet
web-send-again = Noch einmal senden
web-discard = Verwerfen
web-lost = Verbindung verloren. Neuer Versuch …
web-full = Der Server ist voll. Neuer Versuch in einer Minute …
web-newer = Es gibt eine neue Version. Die Seite lädt neu.
web-reload = Jetzt neu laden
web-resting = Der Server ist voll, darum pausiert diese Seite: Du hast noch eine andere offen.
web-go-on = Hier weiter
web-try-now = Jetzt versuchen
web-back = Wieder verbunden

error-name-taken = „{ $name }“ ist schon vergeben. Wähle einen anderen Namen.
error-name-similar = „{ $name }“ sieht aus wie ein Name, der vergeben ist. Wähle einen anderen Namen.
error-name-number = Eine Zahl steht hier für eine Partie. Wähle einen anderen Namen.
error-name-numbered = Eine Nummer wie #0001 hänge ich selbst an, wenn zwei Namen gleich aussehen. Wähle einen Namen ohne.
error-name-house = So heißt der Bot. Wähle einen anderen Namen.
error-name-word = „{ $name }“ hat hier eine andere Bedeutung. Wähle einen anderen Namen.
error-name-command = „{ $name }“ ist hier ein Befehl. Wähle einen anderen Namen.
error-name-code = Das ist ein geheimer Code und kein Name. Drück „Mit einem Code anmelden“.
error-name-long = Das ist zu lang. Höchstens { $most } Zeichen gehen.
error-name-characters = In diesem Namen sind Zeichen, die man nicht lesen kann. Wähle einen anderen Namen.
error-nothing-said = In dieser Nachricht steht nichts Lesbares.
error-request = Diese Anfrage habe ich nicht verstanden. Vielleicht ist die Seite veraltet: Lade sie bitte neu.
error-busy = Gerade kommen sehr viele Leute herein. Versuch es bitte gleich noch einmal.

# Fragen, bevor sich jemand in einem Browser anmeldet

also-title = Als { $name } anmelden?
also-text = In diesem Browser bist du dann als { $name } angemeldet, mit allen Partien und Einstellungen von { $name }.
also-instead = Jetzt bist du hier { $before }. Die Partien von { $before } bleiben bei { $before }, und dieser Browser vergisst sie.
also-instead-last = Jetzt bist du hier { $before }. Die Partien von { $before } bleiben bei { $before }. In keinem anderen Browser ist { $before } angemeldet, also kannst du unter diesem Namen nicht zurückkommen.
also-careful = Hat dir jemand anderes das geschickt? Dann brich ab: Sonst spielst du unter fremdem Namen.
also-yes = Ja, ich bin { $name }
also-no = Abbrechen
error-no-such-browser = Dieser Code gilt nicht oder nicht mehr. Mach einen neuen, wo du angemeldet bist: /einstellungen, Browser.
error-here-already = So bist du in diesem Browser schon angemeldet. Öffne den Link im anderen.
error-too-many-browsers = Du bist schon mit { $count } Browsern angemeldet. Melde erst einen ab: /einstellungen, Browser.
error-codes-busy = Gerade werden zu viele Codes probiert. Warte bitte eine Minute.
