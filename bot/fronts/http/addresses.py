"""Client addresses and their groups (networks and sites)."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address
Groups = tuple[str, ...]


def parse_address(text: str) -> Address:
    """Parse an address, and unmap an IPv4-mapped one. Raises ValueError."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def without_port(text: str) -> str:
    """Remove the port that some proxies write: ``1.2.3.4:5``, ``[::1]:5``."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def groups_of(address: Address) -> Groups:
    """Return the groups of an address, the widest first.

    IPv4: the address. IPv6: a site (/48, RFC 6177), a household (/56, as assigned by providers) and
    a network (/64), whose holder can use all its addresses.
    """
    if isinstance(address, IPv6Address):
        return tuple(str(ip_network((address, bits), strict=False)) for bits in (48, 56, 64))
    return (str(address),)


def group_limits(caller: Groups, each: int) -> dict[str, int]:
    """Return the limit of each group, the narrowest first. A site gets twice as much as `each`."""
    site, *households = caller[:2]
    return dict.fromkeys(households, each) | {site: each * 2 if households else each}


def provider(caller: Sequence[str]) -> str:
    """Return the provider's network of a caller, for coarse limits."""
    network = ip_network(caller[0])
    return str(network.supernet(new_prefix=32 if network.version == 6 else 16))


def is_local(address: Address) -> bool:
    """True if the address belongs to this machine."""
    return address.is_loopback


def is_loopback(host: str) -> bool:
    """True if a host name or address stands for this machine."""
    try:
        return parse_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
