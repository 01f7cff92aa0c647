# Texte nur für die Konsole.

console-welcome =
    Tipp, was auf dem Bildschirm steht: einen Zug wie d3 oder eine Aufschrift in Klammern. Die Tab-Taste ergänzt.
    Mit jemandem an dieser Tastatur: othello @{ $friend }. Alle Befehle: hilfe. Ende: Strg-D.
console-friend = Gast
console-pass = Gib die Tastatur an { $name }, dann drück die Eingabetaste:{ " " }
