"""Networks, households and sites of an address."""

from ipaddress import ip_address

from bot.fronts.http.addresses import groups_of, shares


def test_an_address_counts_for_its_network_its_household_and_its_site() -> None:
    assert groups_of(ip_address("2001:db8:1:2345:6::7")) == (
        "2001:db8:1::/48",
        "2001:db8:1:2300::/56",
        "2001:db8:1:2345::/64",
    )
    assert groups_of(ip_address("1.2.3.4")) == ("1.2.3.4",)


def test_a_site_has_twice_what_one_of_its_households_has() -> None:
    caller = groups_of(ip_address("2001:db8:1:2345:6::7"))
    assert shares(caller, 8) == {"2001:db8:1:2300::/56": 8, "2001:db8:1::/48": 16}
    assert shares(groups_of(ip_address("1.2.3.4")), 8) == {"1.2.3.4": 8}
