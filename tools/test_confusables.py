"""The table of look-alikes matches Unicode's."""

from tools import confusables


def test_the_table_of_looks_is_made_of_unicodes_own() -> None:
    theirs = (
        "# Version: 99.0.0\n"
        "0430 ;\t0061 ;\tMA\t# ( а → a ) CYRILLIC SMALL LETTER A → LATIN SMALL LETTER A\t# \n"
        "0432 ;\t0299 ;\tMA\t# ( в → ʙ ) CYRILLIC SMALL LETTER VE → SMALL CAPITAL B\t# \n"
        "006D ;\t0072 006E ;\tMA\t# ( m → rn ) LATIN SMALL LETTER M → r, n\t# \n"
    )
    looks = confusables.table(theirs)
    assert (looks["\u0430"], looks["\u0432"], looks["\u0299"], looks["m"]) == ("a", "b", "b", "rn")
    lines = confusables.written(looks, "99.0.0").splitlines()
    assert "version 99.0.0" in lines[1]
    assert {"0061;0430 1D00", "0072 006E;006D"} <= set(lines)
