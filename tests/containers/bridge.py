"""Lets the bridge of podman's network keep the link-layer address that it has.

Linux gives a bridge the lowest address among its ports for as long as nobody chose one, and podman
chooses none before netavark 1.9. So the address may change whenever a container comes or goes, and
the others learn it only when what they remember has aged: for up to ten seconds they find no names
and their answers to this machine are lost.
"""

import errno
import fcntl
import socket
import struct
from pathlib import Path

SIOCSIFHWADDR = 0x8924
ETHERNET = 1
REQUEST = "16sH14s"
"""Of the kernel's struct ifreq: name of the interface, family, address."""


def keep_address(interface: str) -> None:
    """Chooses the address that the bridge has. Does nothing where this machine shows no such
    bridge, or lets only root do it: podman without root has its networks in a place of its own."""
    told = Path("/sys/class/net", interface, "address")
    try:
        address = bytes.fromhex(told.read_text().strip().replace(":", ""))
        request = struct.pack(REQUEST, interface.encode(), ETHERNET, address)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, SIOCSIFHWADDR, request)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.EPERM):
            raise
