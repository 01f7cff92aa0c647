# Die Worte des Hauses. Die Worte eines Spiels stehen in seiner eigenen Datei.

language-name = Deutsch
# Wie sie in irgendeiner Sprache heißt, wenn jemand sie beim Namen nennt.
language-words = deutsch german

# --- Bretter und Herausforderungen

board-your-turn = Du bist am Zug.
board-turn = { $name } ist am Zug.
hint-move = Ich würde { $move } spielen
hint = { $best }.
hint-why = { $best }: { $why }.
board-thinking = { $name } überlegt …
board-in-private = Drück „{ $button }“: Was du jetzt tust, sieht sonst niemand.
board-out-of-reach = Ich erreiche { $name } gerade nicht. Sobald ich wieder darf, zeige ich dort das Brett.
board-due = Zeit bis { $when }.
board-bank = { $name } hat noch { $time }
board-bank-runs = { $name } hat höchstens noch { $time }
board-given-back = Ich war { $time } nicht da; diese Zeit ist gutgeschrieben.
board-idle = Hier ist lange nichts passiert. Bleibt es noch eine Woche so, endet die Partie und zählt für niemanden.
board-kept = Die Partie geht weiter.
board-too-short = Das war zu kurz, um eine Wertung zu ändern.
board-met-too-often = Das ändert keine Wertung: Zwischen denselben beiden zählen { $most } Partien am Tag.
board-reratings = Wertung: { $sides }.
board-rerating = { $name } { $before } → { $after }
board-last = Letzter Zug: { $move }
board-analysed = Rückblick: { $done } von { $total } Zügen …
board-analysis-given-up = Der Rückblick ist nach { $done } von { $total } Zügen stecken geblieben. Frag noch einmal, dann geht es weiter.
offer-draw = { $name } bietet ein Unentschieden an.
offer-draw-declined = { $name } möchte kein Unentschieden und spielt weiter.
offer-abort = { $name } möchte diese Partie abbrechen.
offer-abort-declined = { $name } möchte lieber weiterspielen.
offer-clock = { $name } möchte eine andere Bedenkzeit: { $clock }.
offer-clock-declined = { $name } möchte bei der Bedenkzeit bleiben.
offer-clock-accepted = { $name } ist einverstanden: Ab jetzt gilt { $clock }, und beide beginnen neu.
offer-clock-accepted-none = { $name } ist einverstanden: Ab jetzt läuft keine Uhr mehr.
offer-takeback = { $name } möchte { $moves } zurücknehmen.
offer-takeback-declined = { $name } möchte die Züge lieber so lassen.
offer-takeback-accepted = { $name } ist einverstanden: Das ist zurückgenommen, und { $other } zieht noch einmal.
offer-draw-withdrawn = { $other } bietet kein Unentschieden mehr an.
offer-abort-withdrawn = { $other } spielt doch weiter.
offer-clock-withdrawn = { $other } möchte keine andere Bedenkzeit mehr.
offer-takeback-withdrawn = { $other } lässt die Züge nun doch so.
ending-resigned = { $winner } gewinnt: { $name } hat aufgegeben.
ending-resigned-alone = Aufgegeben.
ending-timeout = { $winner } gewinnt: Die Zeit von { $name } ist abgelaufen.
ending-timeout-draw = Unentschieden: Die Zeit von { $name } ist abgelaufen, und die andere Seite konnte nicht mehr gewinnen.
ending-timeout-alone = Die Zeit ist abgelaufen.
ending-agreed = Unentschieden, beide waren einverstanden.
ending-aborted = Ich musste diese Partie beenden: Ihre Regeln haben sich seit dem Beginn geändert. Sie zählt für niemanden.
ending-aborted-by = { $name } hat diese Partie abgebrochen. Sie zählt für niemanden.
ending-called-off = Diese Partie wurde abgebrochen, beide waren einverstanden. Sie zählt für niemanden.
ending-abandoned = Niemand hat weitergespielt, also zählt diese Partie für niemanden.
ending-unplayed-by = { $name } hat gleich am Anfang aufgegeben, also zählt diese Partie für niemanden.
ending-abandoned-by = { $name } kam nicht zurück, also zählt diese Partie für niemanden.
ending-closed = Diese Partie wurde ohne Ergebnis geschlossen, von denen, die sich um ihren Ort kümmern. Sie zählt für niemanden.
ending-solved = Richtig, das ist der beste Zug!
ending-missed = Diesmal nicht.
alt-choices = Zur Wahl: { $choices }.
alt-missed = Gesucht war dies: { $board }
alt-stopped = { $game }, die Partie ist zu Ende.
name-erased = Jemand von früher

challenge-open = { $name } möchte { $game } spielen. Wer macht mit?
challenge-to = { $name } fordert { $opponent } zu { $game } heraus.
challenge-over-open = { $name } wollte { $game } spielen.
challenge-over-to = { $name } hat { $opponent } zu { $game } herausgefordert.
join-line = /beitreten { $code }
challenge-code =
    Gib es weiter, an wen du magst:
    { $line }
challenge-unrated = Ungewertet
challenge-rated = Gewertet
challenge-takebacks = Züge dürfen zurückgenommen werden
challenge-hints = Mit Tipps, ungewertet
clock-none = unbegrenzt
clock-a-turn = { $time } je Zug
span-d =
    { $count ->
        [one] 1 Tag
       *[other] { $count } Tage
    }
span-h = { $count } Std.
span-m = { $count } Min.
span-s = { $count } Sek.
challenge-side = { $name } würde { $side } spielen.
challenge-declined = Abgelehnt.
challenge-withdrawn = Zurückgezogen.
challenge-out-of-reach = Ich erreiche { $name } nicht: Ich darf dort nicht privat schreiben. Fordere { $name } heraus, wo ihr beide seid.
challenge-expired = Niemand hat rechtzeitig geantwortet.
challenge-which-game = Welches Spiel?
which-match = Welche Partie meinst du?
which-match-for = { $what }: Welche Partie meinst du?
which-offer = Was davon meinst du?
which-more = … und { $count } weitere: Nenn eine mit ihrer Nummer, etwa /brett #12.

button-accept = Annehmen
button-join = Mitspielen
button-keep = Weiterspielen
button-decline = Ablehnen
button-withdraw = Zurückziehen
button-withdraw-of = Zurückziehen ({ $name })
button-withdraw-what-of = { $what } ({ $name })
button-draw-decline = Kein Unentschieden
button-abort-decline = Weiterspielen
button-clock-decline = Bedenkzeit so lassen
button-takeback-decline = Keine Rücknahme
button-rules = Regeln
button-moves = Züge
button-resign = Aufgeben
button-give-up = Aufgeben
button-draw = Unentschieden anbieten
button-draw-withdraw = Doch kein Unentschieden
button-abort-withdraw = Doch weiterspielen
button-clock-withdraw = Doch keine neue Bedenkzeit
button-takeback-withdraw = Doch keine Rücknahme
button-draw-settled = Unentschieden: { $how }
button-abort-settled = Abbruch: { $how }
button-clock-settled = Bedenkzeit: { $how }
button-takeback-settled = Rücknahme: { $how }
settled-accepted = vereinbart
settled-declined = abgelehnt
settled-withdrawn = zurückgezogen
button-kept = Ihr spielt weiter
button-draw-accept = Unentschieden annehmen
button-abort = Um Abbruch bitten
button-abort-accept = Abbrechen
button-abort-sure = Ja, abbrechen
button-abort-free = Abbrechen (zählt für niemanden)
button-clock-accept = Bedenkzeit annehmen
button-clock = Andere Bedenkzeit
button-takeback = Um Rücknahme bitten
button-takeback-accept = Rücknahme erlauben
button-resign-sure = Ja, aufgeben
button-resign-not = Nein, weiterspielen
button-close-sure = Ja, schließen
button-close-not = Nein, weiterspielen lassen
button-hint = Tipp
button-play-hint = So spielen
button-sure = Ja, so spielen
button-form = Eintippen
form-together = Bis zu { $count } in einer Zeile
button-cancel = Abbrechen
button-again = Noch eine Partie
button-again-alone = Noch eine
button-level-up = Stufe höher: { $name }
button-level-down = Stufe tiefer: { $name }
button-private = Unter uns
button-flip = Drehen
button-alt = In Worten
button-start-alone = Los
button-start-open = Wer spielt mit?
button-play-computer = Gegen { $name }
button-level = Stufe { $level } von { $most }
button-play-start = Hier spielen
button-play-apart = Unter uns

abort-sure = Diese Partie abbrechen? Sie hat gerade erst begonnen, also musst du nicht fragen, und sie zählt für niemanden.
resign-sure = Diese Partie aufgeben? Dann gewinnt { $opponent }.
resign-early = Sie hat gerade erst begonnen: Du kannst sie auch abbrechen, ohne zu fragen, dann zählt sie für niemanden.
resign-asked = { $opponent } hat darum gebeten, die Partie abzubrechen: Stimm zu, und sie zählt für niemanden.
resign-alone-sure = Aufgeben? Es zählt, als hättest du nichts geraten.
resign-unplayed-sure = Diese Partie aufgeben? Noch steht kein Zug von dir, also zählt sie für niemanden.
said-aloud = Das haben hier alle gelesen, darum habe ich es nicht gespielt. Mach es lieber privat, wo sonst niemand hinsieht.
direct-title = Azumaya

notice-turn = Du bist am Zug: { $game }, Partie { $match }.
notice-joined = { $name } spielt { $game } mit dir, Partie { $match }.
notice-challenged = Du bist zu { $game } herausgefordert.
notice-declined = Deine Herausforderung zu { $game } wurde abgelehnt.
notice-offered = { $game }, Partie { $match }: { $how }
notice-refused = { $game }, Partie { $match }: { $how }
notice-agreed = { $game }, Partie { $match }: { $how }
notice-idle = { $game }, Partie { $match }: Spielt ihr noch? Wenn eine Woche lang niemand weiterspielt, endet sie und zählt für niemanden.
notice-reminded = { $game }, Partie { $match }: Du bist am Zug und hast noch { $how }.
notice-over = { $game }, Partie { $match }, ist zu Ende. { $how }
notice-unsure = Das Brett ist vielleicht nicht angekommen.
notice-missing = Das Brett ist nicht mehr da.
button-show-again = Noch einmal zeigen
host-says = Ein Wort von der Leitung dieses Hauses: { $text }
button-show-board = Brett zeigen

menu-title = Was spielen wir?
menu-computer = { $game } mit { $name }
menu-puzzle = Rätsel · { $game }
menu-puzzle-about = Ein Zug ist der beste. Siehst du ihn?
menu-invite = Um mit anderen zu spielen, hol mich in eine Gruppe und tipp dort { $command }.
button-invite = In eine Gruppe holen
start-alone =
    { $platform ->
        [discord] Wähle und fang an. Mit { $command } und einer Option geht es nächstes Mal sofort los.
       *[other] Wähle und fang an. Mit { $command } neu geht es nächstes Mal sofort los.
    }
start-two =
    { $platform ->
        [discord] Frag, wer mitspielt, oder fordere jemanden heraus: { $command }, Option „wer“.
       *[other] Frag, wer mitspielt, oder fordere jemanden heraus: { $command } @Name
    }

# Der Computer: ein Name für jede Stufe, wie er dasteht und wie man ihn tippen kann, und wie gut er
# spielt.
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
computer-about-1 = kennt die Regeln und nicht viel mehr
computer-about-2 = spielt nett mit und übersieht manches
computer-about-3 = denkt voraus, ein Gegner auf Augenhöhe
computer-about-4 = schwer zu schlagen
computer-about-5 = so stark, wie ich kann

computer-waits = Diese Partie läuft schon, und du hast in ihr noch nicht gezogen.
button-go-on = Dort weiterspielen
button-one-more = Noch eine beginnen

start-with-others = Mit anderen · { $what }
start-side = Deine Seite
start-side-any = Das Los entscheidet
start-rated = Gewertet
start-yes = ja
start-no = nein
start-takebacks = Züge zurücknehmen
start-hints = Tipps, ungewertet
start-clock = Zeit
start-computer = { $name } ({ $level })
start-whom = Wer spielt mit dir?
start-whom-anybody = Wer mag
start-whom-code = Wer den Code bekommt
start-where = Hier, wo alle zusehen können, oder in unserem privaten Gespräch?

button-back = ‹ Zurück
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

next-none = Gerade wartet kein Brett auf dich.
matches-title = Deine Partien
matches-none = Gerade läuft keine Partie von dir. Wie wäre es mit /spielen?
matches-more = … und { $count } weitere.
matches-my-turn = du bist am Zug
matches-their-turn = wartet auf { $name }
matches-challenged = du bist herausgefordert
matches-challenging = noch keine Antwort
matches-open = offen für alle: { $line }
button-board = Brett
button-played = Beendet: { $count }
played-title = Beendete Partien
played-none = Du hast noch keine Partie beendet.
past-start = Vor dem ersten Zug
past-evaluation = Aussichten: { $first } ({ $percent } %), { $second } ({ $other } %)
past-better = Besser für { $name } ({ $percent } %): { $line }
analysis-title = Rückblick · { $game }
analysis-under-way = Ich sehe mir diese Partie noch einmal an: { $done } von { $total } Zügen. Auf dem Brett steht, wie weit ich bin, und du kannst jederzeit wieder fragen.
analysis-waits =
    { $count ->
        [one] Eine andere Partie ist vorher dran.
       *[other] { $count } andere sind vorher dran.
    }
analysis-once-more = Beim letzten Mal bin ich stecken geblieben. Ich versuche es noch einmal, von da an, wo ich war: { $done } von { $total } Zügen. Auf dem Brett steht, wie weit ich bin.
analysis-side = { $name } ({ $percent } %)
analysis-accuracy = Genauigkeit: { $sides }
analysis-moments = Die Wendepunkte, mit den Aussichten dessen, der zog, vorher und nachher:
analysis-moment =
    { $ply }. { $name } spielte { $move }{ $swing ->
        [over] { " " }und überließ { $other } den Vorsprung
        [away] , und der Vorsprung war weg
       *[behind] { " " }und geriet in Rückstand
    } ({ $before } % → { $after } %). Besser, und wie es weiterginge: { $line }
analysis-no-moments = Kein einzelner Zug hat sie entschieden.
analysis-about = Wer eher gewinnt, Zug für Zug
analysis-ahead = { $name } vorn
analysis-axis = Zug
analysis-legend = Wendepunkt
analysis-alt = die Aussichten von { $first } gegen { $second }, { $begin } % am Anfang, unterwegs zwischen { $least } % und { $most } %, { $end } % am Ende.
button-analyse = Rückblick
button-analyse-again = Wie weit ist es?
puzzle-title = Rätsel
puzzle-ask = Finde den besten Zug für { $side }.
puzzle-played = Du hast { $move } gespielt. Das Brett zeigt, was am besten gewesen wäre.
puzzle-line = Am besten: { $line }
puzzle-chances = Aussichten { $best } %, mit dem nächstbesten Zug { $second } %
puzzle-rating = Deine Rätselwertung: { $value } ({ $change }), die des Rätsels { $puzzle }
puzzle-sure = Soll ich es dir verraten? Dann zählt es als nicht gelöst.
button-solution = Verrat es mir
button-solution-sure = Ja, verrat es mir
button-puzzle = Nächstes Rätsel
button-moment = Zug { $ply }
moves-none = Noch kein Zug.
moves-secret =
    { $count ->
        [one] 1 geheimer Zug
       *[other] { $count } geheime Züge
    }
moves-beginning = Am Anfang:

leaderboard-title = Rangliste
leaderboard-of = Rangliste: { $game }
leaderboard-alone = { $game }, allein
leaderboard-empty = Noch hat hier niemand eine Partie beendet, die zählt. Mach den Anfang: /spielen
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
leaderboard-best = am besten { $best }, { $streak } in Folge gelöst
leaderboard-count = { $count } gespielt
leaderboard-too-few =
    { $count ->
        [one] Noch steht niemand darauf: Gelistet wird ab einer Partie, die zählt.
       *[other] Noch steht niemand darauf: Gelistet wird ab { $count } Partien, die zählen.
    }
leaderboard-missing =
    { $count ->
        [one] { $name }: noch eine Partie bis auf die Liste.
       *[other] { $name }: noch { $count } Partien bis auf die Liste.
    }
leaderboard-hidden = Du stehst auf keiner Liste, wie du es willst: /einstellungen
leaderboard-minimum =
    { $count ->
        [one] Gelistet ab der ersten Partie, die zählt.
       *[other] Gelistet ab { $count } Partien.
    } Es zählen gewertete Partien; bei Black Box allein Kästen, die ohne Glück zu lösen sind.
leaderboard-points-are = Ein Sieg ist ein Punkt, ein Unentschieden ein halber.
rating-unsure = „?“ heißt noch nicht sicher: wenige Partien, oder lange keine.

stats-title = Statistik von { $name }
stats-none = Noch keine beendeten Partien.
stats-versus = { $game }: { $wins } gewonnen, { $draws } unentschieden, { $losses } verloren ({ $rate } %)
stats-computer = { $game } mit { $name }: { $wins } gewonnen, { $draws } unentschieden, { $losses } verloren
stats-streak =
    { $going ->
        [0] Die meisten Siege in Folge: { $most }
        [1] Die meisten Siege in Folge: { $most }
       *[other] { $going } Siege in Folge; die meisten waren { $most }
    }
stats-streak-most = { $most } Siege in Folge, so viele wie noch nie
stats-rating =
    Wertung, { $game }{ $which ->
        [none] { "" }
       *[other] { " " }({ $which })
    }: { $value } ({ $count ->
        [one] 1 Partie
       *[other] { $count } Partien
    })
stats-puzzles = Rätsel, { $game }: Wertung { $value }, { $solved } von { $count } gelöst
stats-alone = { $game }, allein: im Mittel { NUMBER($average, minimumFractionDigits: 1, maximumFractionDigits: 1) } Punkte, am besten { $best }, { $streak } in Folge gelöst (höchstens { $most }), { $count } gespielt
stats-longest =
    Längste Partie: { $game }, { $count ->
        [one] 1 Zug
       *[other] { $count } Züge
    }
stats-opening = Beginnt { $game } gern mit { $move } ({ $times } von { $count })
stats-opponent = Gegen { $name }: { $wins } gewonnen, { $draws } unentschieden, { $losses } verloren
stats-against-you = Du gegen { $name }: { $wins } gewonnen, { $draws } unentschieden, { $losses } verloren
stats-curve = { $name } · { $game }
stats-curve-at =
    Partie { $count }
    { $day }
stats-curve-alt = die Wertung von { $first } bis { $last }

rules-which = Die Regeln welches Spiels?

language-which = Welche Sprache?
language-changed = Von jetzt an spreche ich Deutsch mit dir.

settings-title = Deine Einstellungen
settings-text = Drück auf eine Einstellung, um sie zu ändern.
settings-theme = Farben
settings-theme-auto = wie die App
settings-theme-light = hell
settings-theme-dark = dunkel
settings-pings = Anpingen
settings-pings-auto = wie üblich ({ $usual })
settings-pings-always = bei jedem Zug
settings-pings-away = wer gerade weg ist
settings-pings-never = nie
settings-dots = Punkte auf möglichen Zügen
settings-dots-on = an
settings-dots-off = aus
settings-side = Brett zu mir gedreht
settings-side-first = nein
settings-side-own = ja
settings-threats = Drohungen auf dem Brett
settings-threats-off = verborgen
settings-threats-on = markiert
settings-record = Ranglisten und Statistik
settings-record-everybody = für alle
settings-record-me = nur für mich
settings-notation = Schreibweise von { $game }
block-done = { $name } ist blockiert: keine Herausforderungen, keine Revanchen und keine Zeilen mehr, wo ich welche zeige. Eine laufende Partie geht weiter. /freigeben nimmt es zurück.
unblock-done = { $name } ist nicht mehr blockiert.
blocks-title = Blockiert
blocks-text = Drück auf einen Namen, um ihn wieder freizugeben.
blocks-more = … und { $count } weitere.
blocks-none =
    { $platform ->
        [discord] Du hast niemanden blockiert. Wenn dich jemand stört: /blockieren, Option „wer“.
       *[other] Du hast niemanden blockiert. Wenn dich jemand stört: /blockieren @Name
    }
button-unblock = { $name } freigeben
button-unblock-erased = { $days ->
    [0] Freigeben: jemand Gelöschtes, heute blockiert
    [one] Freigeben: jemand Gelöschtes, gestern blockiert
   *[other] Freigeben: jemand Gelöschtes, vor { $days } Tagen blockiert
}
settings-blocked = Blockiert: { $count }
here-title = Einstellungen für diesen Ort
quiet-title = Ruhezeit
quiet-off = keine
quiet-hours = { $begins } bis { $ends } Uhr
quiet-none = Ich erinnere dich rund um die Uhr, wenn deine Bedenkzeit in einer Partie knapp wird.
quiet-set = Von { $begins } bis { $ends } Uhr nach der Zeit in { $town } (dort ist es { $now } Uhr). Dann erinnere ich dich an nichts, außer wenn deine Bedenkzeit in einer Partie noch in diesen Stunden endet.
quiet-where = Wo lebst du? Wähle eine Stadt mit deiner Uhrzeit oder schreib eine: { $command } Wien
button-quiet-elsewhere = Andere Stadt
button-quiet-off = Keine Ruhezeit

holiday-title = Urlaub
holiday-off =
    Du bist nicht im Urlaub. Von { $most } Tagen im Jahr hast du noch { $days ->
        [one] einen
       *[other] { $days }
    }. Solange du weg bist, stehen Uhren, die nach Tagen gehen, für dich still, und deine Gegner sehen, bis wann. Ein Urlaub zählt mindestens einen Tag.
holiday-on =
    Du bist im Urlaub bis zum { $day }: Uhren, die nach Tagen gehen, stehen für dich still. Danach { $days ->
        [0] hast du in diesem Jahr keine Tage mehr
        [one] hast du noch einen Tag
       *[other] hast du noch { $days } Tage
    }.
button-holiday-end = Ich bin zurück
board-away = { $name } ist im Urlaub bis zum { $day }.
settings-holiday = Urlaub: bis { $day }
settings-language = Sprache
settings-language-auto = wie im Haus
settings-threads = Ein Thread je Partie
settings-threads-off = nein
settings-threads-on = ja
settings-threads-only = nein, gespielt wird nur in Threads und Themen
here-begin = Beginnen dürfen: { $who }
here-begin-title = Wer darf hier Partien beginnen?
here-begin-text = Mitspielen dürfen alle. Wer sich um diesen Ort kümmert, darf immer beginnen.
begin-everybody = alle
begin-managers = wer sich um diesen Ort kümmert
begin-role = eine Rolle
here-zone = Uhrzeit hier: { $town }
here-zone-title = Nach welcher Uhr lebt ihr hier?
here-zone-text = So sagen Bretter, wann eine Bedenkzeit endet, wo eine App es nicht jedem in seiner Zeit sagt. Wähle eine Stadt mit eurer Uhrzeit oder schreib eine: { $command } zone Wien
here-games = Spiele: { $count } von { $all }
here-games-title = Was darf hier gespielt werden?
here-game-on = { $game }: ja
here-game-off = { $game }: nein
here-close = Eine Partie schließen
here-around = Was hier nicht eingestellt ist, gilt wie im Kanal oder in der Gruppe darum herum.
here-back = Zurück zu den Einstellungen
close-which = Welche Partie soll ohne Ergebnis geschlossen werden?
close-sure = Diese Partie ohne Ergebnis schließen? { $match }. Sie zählt für niemanden; beide erfahren es, und alle hier, wer sie geschlossen hat.
close-not-own = Die du selbst spielst, sind nicht dabei.
close-done = Partie #{ $match } ({ $game }) ist ohne Ergebnis geschlossen, von { $who }.

button-sessions = Browser: { $count }
sessions-title = Browser, die dich kennen
sessions-unknown = Ein Browser
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
button-another = Noch einen Browser dazuholen
another-title = Das bin ich auch
another-text = Öffne im anderen Browser den Link, oder drücke dort „Ich habe einen Code aus einem anderen Browser“ und tippe { $code }. Das geht ein Mal und { $minutes } Minuten lang. Gib ihn niemandem: Wer ihn hat, gilt hier als du.
another-here-title = Noch ein Browser von dir?
another-here-text = Diesen Code hast du in einem Browser gemacht, der dich kennt. Bevor sich etwas ändert, frage ich noch einmal.
another-here-link = Weiter

# --- Die eigenen Daten

privacy-title = Deine Daten
privacy-what = Ich speichere deinen Namen und wie du auf dieser Plattform heißt, deine Sprache und Einstellungen, deine Partien mit Zügen und Ergebnissen und welche Rätsel du versucht hast. Gute Stellungen aus Partien werden zu Rätseln für andere, ohne Namen. Am Webtisch auch die Zeilen, die du schreibst, wie weit du gelesen hast, und in welchen Browsern ich dich kenne, über ein Cookie, das sonst nichts tut.
privacy-seen = Wer dort ist, wo eine Partie gezeigt wird, sieht, wer sie spielt; Ranglisten zeigen Namen und Ergebnisse. Sonst bekommt niemand etwas, nichts über dich wird gemessen, und Werbung gibt es nicht.
privacy-long = Es bleibt, bis du es löschst; wer am Webtisch nie spielt, wird nach einer Weile vergessen. Ein Browser, den du verlässt, ist nach 30 Tagen vergessen, und einer, den du ein Jahr lang nicht benutzt, auch.
privacy-own = Du kannst jederzeit alles als Datei haben oder es löschen. Eines überdauert das: Hat dich auf Discord oder Telegram jemand blockiert oder ist auf deine Herausforderungen vom letzten Tag nicht eingegangen, behalte ich einen Hash deiner Nummer dort, mit einem geheimen Schlüssel gebildet, damit das auch gilt, wenn du wiederkommst. Er geht mit der Blockierung oder nach einem Tag.
privacy-host = { $name } betreibt dieses Haus.
privacy-host-unnamed = Wer dieses Haus betreibt, hat hier keinen Namen hinterlassen. Frag, wer mich zu euch geholt hat.
privacy-contact = Fragen gehen an { $contact }.
privacy-page = Alles im Einzelnen: { $url }
privacy-file = Hier ist alles, was ich von dir gespeichert habe.
button-export = Meine Daten als Datei
button-erase = Mich löschen
button-erase-sure = Ja, { $name } löschen
button-erase-not = Nein, ich bleibe
erase-title = Soll ich dich löschen?
erase-text =
    { $platform ->
        [web] Dein Name, deine Einstellungen und deine Browser gehen
       *[chat] Dein Name und deine Einstellungen gehen
    }, und niemand kann sie zurückholen. Hat dich auf Discord oder Telegram jemand blockiert, gilt das weiter, auch wenn du wiederkommst.
erase-running =
    { $count ->
        [one] Die Partie, die du gerade spielst, wird aufgegeben.
       *[other] Die { $count } Partien, die du gerade spielst, werden aufgegeben.
    }
erase-played =
    { $count ->
        [one] Die Partie, die du beendet hast, bleibt, ohne deinen Namen.
       *[other] Die { $count } Partien, die du beendet hast, bleiben, ohne deinen Namen.
    }
erase-said =
    { $count ->
        [one] Die Zeile, die du geschrieben hast, verschwindet.
       *[other] Die { $count } Zeilen, die du geschrieben hast, verschwinden.
    }
erase-kept = Was ein Chat selbst aufhebt, etwa deine eigenen Nachrichten dort, kannst nur du löschen.
erased = Du bist gelöscht. Danke fürs Spielen; wenn du wiederkommst, bist du jemand Neues.

# --- Befehle

# Wörter, die man statt Namen, Auswahl und Zügen tippt; die aller Sprachen gelten.

word-new = neu
word-everywhere = überall
word-month = monat
word-all = alle gesamt
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

# Wie Befehle heißen, wenn man sie tippt, ein Wort oder mehrere; die aller Sprachen gelten.

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
command-analyse = rückblick rueckblick analyse
command-puzzle = rätsel raetsel puzzle
command-takeback = zurücknehmen zuruecknehmen
command-abort = abbrechen abbruch
command-resign = aufgeben
command-rematch = revanche
command-matches = partien
command-leaderboard = rangliste bestenliste
command-stats = statistik bilanz wertung
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

help-title = So geht es
help-text =
    { $platform ->
        [discord] Tippe einen Befehl und wähle seine Optionen, oder drück einen Knopf.
        [telegram] Tippe einen Befehl oder drück einen Knopf.
       *[web] Tippe einen Befehl, drück einen Knopf oder klick ins Bild.
    }
button-help-all = Alle Befehle
help-play = zeigt, was wir spielen können
help-challenge = fragt jemanden oder alle nach einer Partie
help-accept = nimmt eine Herausforderung oder ein Angebot an
help-join = nimmt eine Herausforderung an, die dir jemand weitergegeben hat
help-decline = lehnt eine Herausforderung oder ein Angebot ab
help-withdraw = nimmt deine Herausforderung oder dein Angebot zurück
help-board = zeigt dein Brett ganz unten
help-next = zeigt das Brett, das am längsten auf dich wartet
help-moves = listet die Züge einer Partie auf
help-clock = schlägt für eine Partie eine andere Bedenkzeit vor oder nimmt sie an
help-draw = bietet ein Unentschieden an oder nimmt es an
help-hint = empfiehlt einen Zug, wo die Partie das erlaubt
help-analyse = blickt auf eine Partie zurück, die vorbei ist: was sie entschied, und wie gut ihr gespielt habt
help-puzzle = zeigt eine Stellung mit einem besten Zug, den du finden sollst; wie gut du bist, wird gewertet
help-takeback = bittet, deinen letzten Zug zurückzunehmen, oder erlaubt das der anderen Seite
help-abort = bricht eine Partie ab: am Anfang allein, später, wenn beide wollen
help-resign = gibt eine Partie auf; vor deinem ersten Zug zählt sie für niemanden
help-rematch = noch eine Partie wie deine letzte hier, mit getauschten Seiten
help-matches = listet deine Partien auf, auch beendete
help-leaderboard = wer am besten spielt
help-stats = deine Bilanz oder die von jemand anderem
help-rules = erklärt ein Spiel
help-help = das Wichtigste; dahinter alle Befehle
help-language = in welcher Sprache ich dir antworte
help-quiet = Stunden, in denen ich dich an keine Partie erinnere
help-holiday = Tage, an denen deine Uhren stillstehen
help-settings = Farben, Punkte, Blick aufs Brett
help-block = von jemandem nichts mehr hören
help-unblock = hebt eine Blockierung auf
help-privacy = was von dir gespeichert ist; haben oder löschen
help-here = Regeln und Einstellungen dieses Orts; eine Partie schließen
help-new = beginnt eine neue Partie
help-unrated = ändert keine Wertung
help-takebacks = Züge dürfen zurückgenommen werden
help-hints = beiden darf geholfen werden; ungewertet
help-everywhere = auch Leute von anderswo, nur für dich
help-month = was in diesem Monat war
help-all = was es je gab

help-computer-title = Der Computer
help-computer = Er spielt sofort mit dir, in jedem Spiel: { $before }computer, oder auf einer Stufe, { $before }computer 3. Das ist ungewertet und ohne Uhr, und { $hint } zeigt dir einen guten Zug. Seine Stufen:
help-computer-level = { $level }. { $name }: { $about }

# Was hinter der Hilfe zu einem Befehl steht.

example-clock = Zum Beispiel: { $command } 3t (3 Tage je Zug), { $command } 10m+5s (10 Minuten für die Partie, 5 Sekunden mehr mit jedem Zug), { $command } keine
example-holiday = Zum Beispiel: { $command } 2w, { $command } bis 24.12., { $command } ende
example-quiet = Zum Beispiel: { $command } 22-7 Berlin, { $command } aus
example-leaderboard = Zum Beispiel: { $command } othello monat, { $command } sogo alle überall
example-stats = Zum Beispiel: { $command } @Name, { $command } othello, { $command } @Name othello

argument-game = Spiel
argument-user = @Name
argument-move = Zug
argument-match = Nummer der Partie
argument-hours = Stunden und Stadt
argument-days = Tage
argument-clock = Bedenkzeit
argument-code = Code
argument-language = Sprache
argument-command = Befehl
argument-options = Optionen
argument-people = überall
argument-period = monat oder alle

# --- Was nicht geht

error-over = Diese Partie ist zu Ende.
error-not-your-turn = Du bist nicht am Zug.
error-notation = Den Zug „{ $text }“ verstehe ich nicht.
error-notation-example = Den Zug „{ $text }“ verstehe ich nicht. Zum Beispiel: { $example }
error-off-board = { $square } gibt es auf diesem Brett nicht.
error-ambiguous = Das könnten mehrere Züge sein: { $moves }
error-setup = Das ist keine Stellung dieses Spiels.
error-wrong-seat = Das ist keine Aufzeichnung dieses Spiels.
error-not-notation = Das ist keine Aufzeichnung dieses Spiels.
error-unknown-option = Die Option „{ $option }“ gibt es nicht. Du kannst sagen: { $options }
error-unknown-choice = „{ $value }“ passt nicht zu „{ $option }“. Du kannst sagen: { $choices }
error-option-unknown = Ich weiß nicht, was „{ $word }“ sein soll. Du kannst sagen: { $options }
error-options-new =
    { $platform ->
        [discord] Optionen gehören zu einer neuen Partie: Lass den Zug weg, oder fordere jemanden heraus.
       *[other] Optionen gehören zu einer neuen Partie: Sag „neu“, oder fordere jemanden heraus.
    }
error-options-which-game = Optionen von welchem Spiel? Es gibt: { $games }
error-option-ambiguous = „{ $word }“ könnte mehreres sein. Bitte sag, was: { $options }

error-stale = Das Brett ist inzwischen weiter.
error-no-such-match = Eine Partie #{ $match } gibt es hier nicht.
error-match-number = Mit „{ $word }“ kann ich hier nichts anfangen. Eine Partie nennst du mit ihrer Nummer, zum Beispiel #12.
error-no-match-of = Eine Partie { $game } von dir, die gemeint sein könnte, gibt es hier nicht.
error-code-missing = Schreib den Code dahinter: /beitreten k7mf-2qtx-9wpa
error-person-gone = Diese Person gibt es hier nicht mehr.
error-forgotten = Du bist hier gelöscht worden. Fang gern von vorn an.
error-nothing-stored = Von dir ist nichts gespeichert, also gibt es hier nichts zu sehen oder zu ändern. Das beginnt mit deiner ersten Partie.
error-no-such-code = Dieser Code oder Link führt nirgendwohin (oder nicht mehr). Lass dir einen neuen geben.
error-link-unknown = Dieser Link führt nirgendwohin (oder nicht mehr). Lass dir einen neuen geben.
error-no-match = Hier läuft keine Partie von dir. Wie wäre es mit /spielen?
error-no-match-here = Hier läuft keine Partie { $game } von dir. Mit { $command } beginnst du eine.
error-no-offer = Dieses Angebot gibt es nicht mehr.
error-offer-own = Das ist dein eigenes Angebot. Jetzt ist die andere Seite gefragt.
error-offer-theirs = Zurückziehen kann das nur, wer es angeboten hat.
error-offer-open = Das hast du schon angeboten. Jetzt ist die andere Seite gefragt.
error-offer-answer-first = So ein Angebot hat dir die andere Seite schon gemacht. Nimm es erst an, oder lehne es ab.
error-offer-too-soon =
    Danach hast du erst vor Kurzem gefragt. { $moves ->
        [one] Nach dem nächsten Zug
       *[other] Nach { $moves } weiteren Zügen von euch beiden zusammen
    } kannst du es wieder.
error-offer-just-agreed =
    Darauf habt ihr euch eben erst geeinigt. { $moves ->
        [one] Nach dem nächsten Zug
       *[other] Nach { $moves } weiteren Zügen von euch beiden zusammen
    } kannst du wieder fragen.
error-offer-at-once = Hier hat sich eben erst etwas geändert. Wenn du auf ein Angebot antworten wolltest, drück in drei Sekunden noch einmal.
error-offer-none = In dieser Partie ist gerade nichts angeboten.
error-offer-alone = Diese Partie spielst du allein: Da ist niemand, mit dem du dich einigen könntest.
error-takeback-reveals = In diesem Spiel wird nichts zurückgenommen: Was ein Zug verraten hat, bleibt bekannt.
error-takeback-rated = Diese Partie ist gewertet, und ihr habt zu Beginn nichts anderes vereinbart: Was gezogen ist, bleibt. Mit „rücknahme“ oder „ungewertet“ hinter der Herausforderung geht es.
error-takeback-nothing = Du hast noch keinen Zug gemacht, den du zurücknehmen könntest.
error-rematch-at-once = Die Partie ist hier eben erst zu Ende gegangen, und an dieser Stelle war ein anderer Knopf. Wenn du diesen gemeint hast, drück ihn in drei Sekunden noch einmal.
error-rematch-terms = { $rematch } fragt nach einer Partie wie der letzten, ohne etwas dahinter. Für andere Bedingungen gibt es { $challenge }.
error-no-rematch = Hier ist noch keine Partie von dir zu Ende gegangen. Wie wäre es mit /spielen?
error-match-over = Diese Partie ist zu Ende.
error-not-begun = Diese Partie hat noch nicht begonnen.
error-not-in-match = Du spielst in dieser Partie nicht mit.
error-too-many-together = Höchstens { $most } auf einmal, bitte.
error-nothing-private = Im Augenblick gibt es unter uns nichts zu tun.
error-no-challenge = Hier gibt es keine Herausforderung und kein Angebot für dich.
error-nothing-open = Du hast keine Herausforderung und kein Angebot offen.
error-challenge-self = Dich selbst kannst du nicht herausfordern.
error-no-computer = In diesem Haus spielt kein Computer. Fordere jemanden heraus oder frag, wer mitspielt.
error-computer-away = Wer für den Computer spielt, ist gerade nicht da. Versuch es in ein paar Minuten noch einmal oder fordere jemanden heraus.
error-no-computer-for = So kann ich { $game } nicht spielen. Fordere jemanden heraus oder frag, wer mitspielt.
error-unknown-level = Eine Stufe „{ $level }“ gibt es nicht; es gibt 1 bis { $most }.
error-stats-hidden = { $name } behält für sich, wie es gelaufen ist.
error-no-such-page = Eine Seite { $page } gibt es nicht.
error-stats-house = Ich baue nur die Bretter auf; da gibt es nichts zu zählen.
error-quiet-hours = Von wann bis wann? Zum Beispiel: { $command } 22-7
error-holiday-days = Wie viele Tage, oder bis wann? Zum Beispiel: { $command } 2w, { $command } bis 24.12.
error-holiday-never = Urlaub gibt es in diesem Haus nicht.
error-holiday-most = Mehr als { $days } Tage im Jahr sind es nicht.
error-holiday-budget =
    { $days ->
        [0] Du hast in diesem Jahr keine Urlaubstage mehr.
        [one] Du hast nur noch einen Urlaubstag.
       *[other] Du hast nur noch { $days } Urlaubstage.
    }
error-zone-unknown = Die Uhrzeit in „{ $town }“ kenne ich nicht. Nenn die Hauptstadt oder eine große Stadt mit derselben Uhrzeit: { $command } Berlin
error-zone-which = Welche davon: { $towns }? Zum Beispiel: { $command } Berlin
error-clock-unknown = Eine Uhr „{ $clock }“ gibt es nicht. Je Zug: { $days } Tage, etwa 3t. Oder für die ganze Partie und je Zug dazu: von 3m+5s bis 10t+36h, etwa 10m+5s.
error-clock-two = Das ist mehr als eine Bedenkzeit: { $clocks }. Welche soll gelten?
error-clock-same = Diese Bedenkzeit habt ihr schon.
error-clock-which = Welche Bedenkzeit? Zum Beispiel: { $command } 3t
error-clock-alone = Wer allein spielt, hat beliebig viel Zeit.
error-hint-not-agreed = Tipps gibt es in Partien, die mit Tipps verabredet sind, und gegen den Computer. Beim nächsten Mal: { $command } @name { $word }
error-hint-alone = Diese hier zählt, also bist du auf dich gestellt. Mit Tipps, dafür auf keiner Liste: { $command } neu { $word }
error-hint-not-your-turn = Du bist nicht am Zug: Lass die andere Seite nachdenken.
error-hint-late = Inzwischen hat jemand gezogen. Frag noch einmal.
error-thinking-busy = Andere haben mich vor dir gefragt, und darüber denke ich noch nach. Versuch es bitte gleich noch einmal.
error-thinking-slow = Dafür brauche ich gerade länger als sonst. Versuch es bitte gleich noch einmal.
error-thinking-elsewhere = Hier kann niemand für dich darüber nachdenken: Wer dieses Haus betreibt, überlässt das einem anderen Teil davon.
error-thinking-failed = Gerade fällt mir nichts ein. Versuch es bitte noch einmal.
error-analyse-none = Von dir ist hier noch keine Partie zu Ende. Wie wäre es mit /spielen?
error-analyse-running = Diese Partie läuft noch: Ich blicke zurück, wenn sie vorbei ist.
error-analyse-empty = In dieser Partie wurde nichts gespielt.
error-analyse-game = So spiele ich { $game } nicht, also kann ich auch nicht darauf zurückblicken.
error-analyse-house = In diesem Haus ist niemand, der auf Partien zurückblickt.
error-analyse-busy = Ich blicke für dich noch auf eine andere Partie zurück. Eine nach der anderen.
error-analyse-puzzle = Das war ein Rätsel: Auf seinem Brett steht alles, was es dazu zu sagen gibt.
error-hint-puzzle = Tipps verderben ein Rätsel. Wenn du es lieber wissen willst: „Verrat es mir“.
error-offer-puzzle = Das ist ein Rätsel: Da ist niemand, mit dem du dich einigen könntest.
error-puzzle-here = Ein Rätsel ist für dich allein: Sein Brett ist in unserem privaten Gespräch.
error-puzzle-none = Ich habe kein neues Rätsel für dich. Ich finde sie, wenn ich auf Partien zurückblicke ({ $command }): Jeder Rückblick kann eines bringen, gleich für alle, die weder die Partie noch den Rückblick kennen, und vier Wochen später auch für die anderen.
error-puzzle-none-of = Von { $game } habe ich kein neues Rätsel für dich, aber von: { $games }
error-puzzle-game = Zu { $game } gibt es keine Rätsel, aber zu: { $games }
error-rated-computer = Partien mit dem Computer werden nie gewertet.
error-rated-not = So kann sie nicht gewertet werden: Tipps und manche Spielarten ändern keine Wertung.
error-clock-computer = Mit dem Computer hast du beliebig viel Zeit.
error-too-late = Die Zeit war schon abgelaufen, diese Partie ist also zu Ende.
error-challenge-alone = { $game } spielt man so allein.
error-challenge-for-other = Diese Herausforderung gilt jemand anderem.
error-challenge-not-yours = Das ist nicht deine Herausforderung.
error-accept-own = Das ist deine eigene Herausforderung; annehmen muss sie jemand anderes.
error-challenge-running = Diese Herausforderung ist schon angenommen.
error-challenge-over = Diese Partie ist schon zu Ende.
error-challenge-declined = Diese Herausforderung wurde abgelehnt.
error-challenge-withdrawn = Diese Herausforderung wurde zurückgezogen.
error-challenge-expired = Diese Herausforderung ist abgelaufen.
error-challenge-waiting = Das hast du schon gefragt; die Antwort steht noch aus.
error-too-many-challenges =
    { $count ->
        [one] Du hast schon eine offene Herausforderung. Warte auf eine Antwort, oder zieh sie zurück.
       *[other] Du hast schon { $count } offene Herausforderungen. Warte auf eine Antwort, oder zieh eine zurück.
    }
error-challenged-enough =
    { $name } ist auf { $count ->
        [one] eine Herausforderung von dir
       *[other] { $count } Herausforderungen von dir
    } nicht eingegangen. Versuch es { $hours ->
        [0] { $minutes ->
            [one] in einer Minute
           *[other] in { $minutes } Minuten
        }
        [one] in einer Stunde
       *[other] in { $hours } Stunden
    } wieder.
error-takes-no-challenges = { $name } nimmt im Augenblick keine Herausforderungen an. Versuch es bitte später noch einmal.
error-you-have-blocked = Du hast { $name } blockiert. /freigeben nimmt es zurück.
error-block-self = Dich selbst kannst du nicht blockieren.
error-block-house = Mich kann man nicht blockieren; aber ungefragt sage ich nichts.
error-not-blocked = Du hast { $name } nicht blockiert.
error-too-many-matches =
    { $count ->
        [one] Du hast schon eine Partie laufen. Spiel sie erst zu Ende, oder gib mit /aufgeben auf.
       *[other] Du hast schon { $count } Partien laufen. Spiel erst eine zu Ende, oder gib mit /aufgeben auf.
    }
error-too-many-matches-theirs = { $name } hat so viele Partien laufen, wie eine Person haben darf. Versuch es bitte später noch einmal.
error-too-many-lines =
    { $minutes ->
        [one] Du hast in einer Stunde { $count } Zeilen geschrieben (ein Brett, das du zeigst, zählt als eine). In einer Minute geht es weiter.
       *[other] Du hast in einer Stunde { $count } Zeilen geschrieben (ein Brett, das du zeigst, zählt als eine). In { $minutes } Minuten geht es weiter.
    }
error-unknown-game = Das Spiel „{ $word }“ kenne ich nicht. Es gibt: { $games }
error-unknown-command = { $word } kenne ich nicht. { $help } zeigt, was ich kann.
error-unknown-command-near = { $word } kenne ich nicht. Meinst du { $near }? { $help } zeigt alles, was ich kann.
error-unknown-person = „{ $name }“ kenne ich hier nicht.
error-unknown-username = „{ $name }“ kenne ich hier nicht. Antworte mit deinem Befehl auf eine ihrer Nachrichten, wähl sie aus der Liste, die hinter einem @ aufgeht, oder schreib @ und den Benutzernamen.
error-name-no-move =
    { $platform ->
        [telegram] „{ $name }“ ist kein Zug. Um jemanden herauszufordern, antworte mit { $command } neu auf eine ihrer Nachrichten, wähl sie aus der Liste, die hinter einem @ aufgeht, oder schreib @ und den Benutzernamen: { $command } @name
        [discord] „{ $name }“ ist kein Zug. So forderst du jemanden heraus: { $command }, Option „wer“.
       *[other] „{ $name }“ ist kein Zug. So forderst du jemanden heraus: { $command } @name
    }
error-challenge-name-game = Sag auch, welches Spiel: /herausfordern @{ $name } othello. Es gibt: { $games }
error-unknown-language = „{ $word }“ spreche ich noch nicht. Es gibt: { $languages }
error-ambiguous-language = „{ $word }“ könnte mehreres heißen. Welche Sprache meinst du: { $languages }?
error-unknown-value = „{ $value }“ passt nicht zu „{ $setting }“. Du kannst sagen: { $choices }
error-unknown-setting = Die Einstellung „{ $word }“ gibt es nicht. { $command } zeigt, was es gibt.
error-export-too-large = Das ist mehr, als man hier schicken kann. Wer dieses Haus betreibt, kann es dir geben: { $contact }
error-managers-only = Diese Einstellungen kann nur ändern, wer sich um diesen Ort kümmert.
error-host-only = Um diese Räume kümmert sich, wer dieses Haus betreibt: Frag dort.
error-here-direct = Dieses Gespräch gehört nur uns beiden: Da gibt es nichts zu verwalten. Was deins ist, steht unter /einstellungen.
error-game-not-here = { $game } wird hier nicht gespielt. Hier geht: { $games }; im privaten Gespräch mit mir alles.
error-no-game-here = Hier wird nicht gespielt. Im privaten Gespräch mit mir geht alles.
error-threads-only = Hier wird nur in Threads und Themen gespielt: Öffne eins und beginne dort. Auch im privaten Gespräch mit mir geht es.
error-begin-managers = Hier beginnt nur, wer sich um diesen Ort kümmert. Mitspielen darfst du, und privat mit mir beginnen auch.
error-begin-role = Hier beginnt nur, wer die Rolle „{ $role }“ hat. Mitspielen darfst du, und privat mit mir beginnen auch.
error-begin-some = Hier dürfen nur manche Partien beginnen. Mitspielen darfst du, und privat mit mir beginnen auch.
error-not-played-there = Wo diese Partie gespielt werden soll, ist das nicht mehr gewünscht.
error-shut-out = Wer dieses Haus betreibt, möchte mich hier nicht haben, darum sage ich nichts mehr. Privat bin ich weiter für dich da, und deine Partien auch: /partien.
error-close-elsewhere = Diese Partie wurde anderswo begonnen: Nur dort kann sie geschlossen werden.
error-close-own = Diese Partie spielst du selbst: Beende sie mit { $resign } oder { $abort }, oder lass sie jemand anders schließen, der sich um diesen Ort kümmert.
error-close-none = Hier läuft keine Partie.
error-nothing-begun = Tippe erst ein Feld des Bretts an, dann diese Taste.
error-button-unknown = Diesen Knopf kenne ich nicht mehr. /brett zeigt das Brett neu.
error-too-long = Das ist zu lang; { $most } Zeichen genügen.
error-too-fast = Das war sehr schnell. Hol kurz Luft, dann geht es weiter.
outdated = Das hat so lange gewartet, bis es nicht mehr stimmte. Frag bitte noch einmal.
error-name-empty = Bitte wähl einen Namen, den man lesen kann.
error-not-stored = Das konnte ich nicht speichern, es hat sich also nichts geändert. Bitte versuch es gleich noch einmal.
error-store-gone = Mein Gedächtnis liegt nicht mehr, wo ich es aufbewahre: Ich kann nichts nachsehen und nichts speichern. Wer mich betreibt, findet den Grund im Protokoll.
error-ours = Bei mir ist etwas schiefgegangen. Verloren ist nichts; bitte versuch es noch einmal.

# --- Die Webseite: ihre Lücken (count, name, room) füllt der Browser

web-tagline = Setz dich, spiel, geh weiter.
web-language = Sprache
web-name = Wie heißt du hier?
web-name-hint = Ein Name genügt. Dieser Browser merkt ihn sich mit einem Cookie.
web-enter = Eintreten
web-take-name = „{ $name }“ nehmen
web-have-code = Ich habe einen Code aus einem anderen Browser
web-also = In einem anderen Browser bekannt?
web-code = Der Code, den du dort gemacht hast
web-next = Weiter
web-cancel = Abbrechen
web-unreachable = Das Haus antwortet nicht. Versuch es bitte gleich noch einmal.
web-noscript = Azumaya braucht JavaScript.
web-skip = Zum Eingabefeld springen
web-rooms = Räume
web-open-rooms = Raumliste öffnen
web-channels = Kanäle
web-direct = Direktnachrichten
web-people = Gerade hier
web-play = Spielen
web-help = Hilfe
web-keys = Auf dieser Seite: / beginnt überall einen Befehl, F2 führt zum Brett, das am längsten auf dich wartet, Esc schließt, was aufgegangen ist.
web-rules = Regeln
web-go-back = Zurück
web-challenge = { $name } herausfordern
web-play-computer = Gegen { $name } spielen
web-start = Los
web-start-open = Wer spielt mit?
web-stats = Bilanz
web-whom-other = Jemand anders
web-whom-name = Wie heißt sie oder er?
web-close = Schließen
web-alerts = Wenn etwas auf dich wartet
web-alerts-text = Dein Zug, eine Herausforderung, ein Angebot. Dieser Browser merkt sich, was du hier wählst.
web-alerts-notify = Benachrichtigungen, während du woanders bist
web-alerts-sound = Ein leiser Ton
web-alerts-no = Dieser Browser erlaubt hier keine Benachrichtigungen. In seinen Einstellungen für diese Seite lässt sich das ändern.
web-alerts-none = Dieser Browser zeigt keine Benachrichtigungen von Seiten.
web-theme = Zwischen Morgen- und Abendfarben wechseln
web-leave = Gehen
web-leaving-title = Das Haus verlassen?
web-leaving-text = Dieser Browser vergisst, wer du bist. Kennt dich kein anderer Browser (/einstellungen, Browser), kommt niemand mehr unter deinem Namen zurück, auch du nicht, und was du gerade spielst, wartet vergeblich auf dich.
web-stay = Bleiben
web-house = Azumaya
web-messages = Nachrichten in { $room }
web-write = Nachricht, oder / für Befehle
web-line = Nachricht
web-send = Senden
web-suggestions = Vorschläge
web-suggestion-count = Vorschläge: { $count }
web-board = Brett: { $name }
web-your-turn = Du bist dran
web-record = Zug um Zug
web-step-first = Zum Anfang
web-step-back = Einen Zug zurück
web-step-on = Einen Zug weiter
web-step-last = Zum Ende
web-moment = Wendepunkt: Zug { $count }
web-ahead = { $name } vorn
web-step-at = Zug { $count } von { $of }
web-record-empty = Noch kein Zug.
web-board-view = Brett
web-talk-view = Gespräch
web-back-to = Zurück zu { $room }
web-board-at-side = Zum Brett
web-board-others = Deine Bretter hier
web-you = du
web-you-play = du, { $side }
web-over = Beendet
web-only-you = Nur du siehst das
web-my-matches = Meine Partien
web-over-to = { $name } ist dran
web-asked = herausgefordert: { $count }
web-asked-in = Du bist herausgefordert in { $room }
web-asked-you = Du bist herausgefordert
web-offered = Angebote: { $count }
web-offered-in = Ein Angebot für dich in { $room }
web-offered-you = ein Angebot für dich
web-offered-you-more = { $count } Angebote für dich
web-unanswered = noch keine Antwort
web-for-you = Für dich
web-next-board = Zum nächsten Brett, das auf dich wartet ({ $count })
web-next-none = Gerade wartet kein Brett auf dich.
web-next-in = Zum Brett, das in { $room } auf dich wartet ({ $count })
web-turn-in = Du bist dran in { $room }
web-waiting = du bist dran: { $count }
web-unread = ungelesen: { $count }
web-new = Neu
web-jump = Neueste
web-jump-new = Neu: { $count }
web-empty = Hier wurde noch nichts gesagt. Tippe /, um zu sehen, was dieses Haus kann.
web-loading = Frühere Nachrichten werden geholt …
web-not-sent = Nicht gesendet
web-send-again = Noch einmal senden
web-discard = Verwerfen
web-lost = Keine Verbindung. Neuer Versuch …
web-full = Gerade sind alle Plätze besetzt. In einer Minute versuche ich es wieder.
web-resting = Es ist voll hier, und du hast noch eine Seite offen: Diese hier ruht.
web-go-on = Hier weiter
web-try-now = Jetzt versuchen
web-back = Wieder verbunden

error-name-taken = „{ $name }“ ist schon vergeben. Vielleicht ein anderer?
error-name-similar = „{ $name }“ sieht aus wie ein Name, den schon jemand hat. Vielleicht ein anderer?
error-name-number = Ein # mit einer Zahl steht hier für eine Partie. Vielleicht ein anderer Name?
error-name-house = So heißt das Haus. Vielleicht ein anderer?
error-name-word = „{ $name }“ steht hier für jemand anderen. Vielleicht ein anderer Name?
error-name-command = „{ $name }“ ist hier ein Befehl. Vielleicht ein anderer Name?
error-name-code = Das ist ein Code, den niemand lesen soll: Drücke „Ich habe einen Code aus einem anderen Browser“.
error-name-long = Das ist zu lang; { $most } Zeichen genügen.
error-name-characters = In diesem Namen sind Zeichen, die niemand lesen könnte.
error-nothing-said = Darin war nichts zu lesen.
error-request = Diese Anfrage habe ich nicht verstanden. Vielleicht ist die Seite alt: Lade sie bitte neu.
error-busy = Gerade kommen sehr viele Leute herein. Versuch es bitte gleich noch einmal.

# Was die Seite fragt, bevor sie jemandem gehört

also-title = Bist du { $name }?
also-text = In diesem Browser bist du dann { $name }, mit allen Partien und Einstellungen von { $name }.
also-instead = Jetzt bist du hier { $before }: Diese Partien bleiben bei { $before }, und dieser Browser vergisst sie.
also-instead-last = Jetzt bist du hier { $before }: Diese Partien bleiben bei { $before }. Kein anderer Browser kennt { $before }, unter diesem Namen kommt also niemand zurück.
also-careful = Hat dir jemand anderes das geschickt? Dann bleib, wer du bist: Was du hier tust, gehörte sonst jemand anderem.
also-yes = Ja, ich bin { $name }
also-no = Nein, es bleibt, wie es ist
error-no-such-browser = Dieser Code gilt nicht (mehr). Mach einen neuen, wo man dich kennt: /einstellungen, Browser.
error-here-already = So kennt dich dieser Browser schon. Öffne den Link im anderen.
error-too-many-browsers = Du bist schon in { $count } Browsern bekannt. Melde erst einen ab: /einstellungen, Browser.
error-codes-busy = Gerade werden zu viele Codes probiert. Warte bitte eine Minute.
