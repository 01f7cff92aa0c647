"""Who calls: an address, what it is part of, and what counts as one."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

__all__ = [
    "Address",
    "Groups",
    "groups_of",
    "is_near",
    "is_own",
    "plain",
    "provider",
    "shares",
    "without_port",
]

Address = IPv4Address | IPv6Address
Groups = tuple[str, ...]


def plain(text: str) -> Address:
    """An address; an IPv4 one also where IPv6 carries it. Raises ValueError."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def without_port(text: str) -> str:
    """``1.2.3.4:5`` and ``[::1]:5`` are written by some proxies."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def groups_of(address: Address | None) -> Groups:
    """An address, and what it is part of, the widest first: that is what counts as one.

    The widest one of IPv6 is what one site may get (RFC 6177), the next what providers give to
    households, the last one network: whoever has it has all addresses of it.
    """
    if isinstance(address, IPv6Address):
        return tuple(str(ip_network((address, bits), strict=False)) for bits in (48, 56, 64))
    return (str(address),)


def shares(caller: Groups, each: int) -> dict[str, int]:
    """How much those may have whom a caller is part of, where `each` may have so much alone.

    The narrowest first. A site has twice what one of its households has: none of them takes all.
    """
    site, *households = caller[:2]
    return dict.fromkeys(households, each) | {site: each * 2 if households else each}


def provider(caller: Sequence[str]) -> str:
    """What a caller's provider may have at large: what others there share with them."""
    try:
        network = ip_network(caller[0])
    except ValueError:
        return caller[0]
    return str(network.supernet(new_prefix=32 if network.version == 6 else 16))


def is_own(address: Address | None) -> bool:
    """Is it somebody on this machine?"""
    return address is not None and address.is_loopback


def is_near(address: Address | None) -> bool:
    """Is it somebody in the same house or office?"""
    return address is not None and address.is_private
