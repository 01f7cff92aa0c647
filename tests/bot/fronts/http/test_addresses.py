"""Whom an address counts for."""

from ipaddress import ip_address

from bot.fronts.http.addresses import groups_of


def test_an_address_counts_for_its_network_its_household_and_its_site() -> None:
    assert groups_of(ip_address("2001:db8:1:2345:6::7")) == (
        "2001:db8:1::/48",
        "2001:db8:1:2300::/56",
        "2001:db8:1:2345::/64",
    )
    assert groups_of(ip_address("1.2.3.4")) == ("1.2.3.4",)
