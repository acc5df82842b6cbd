"""Loopback ports that are chosen once and kept, so addresses survive a restart.

They lie below the range the kernel hands to outgoing connections: no client socket of ours can
sit on one while its server is being restarted.
"""

import secrets
import socket
from pathlib import Path

from services.standalone import errors, files

LOOPBACK = "127.0.0.1"
LOWEST, HIGHEST = 20_000, 32_000
ATTEMPTS = 200


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Tell whether a server could listen there now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


class Ports:
    """The ports of one data directory, by the name of what listens."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._chosen: dict[str, int] = {
            name: int(port) for name, port in files.read_object(path).items()
        }

    def claim(self, name: str) -> int:
        """Return the port kept under this name, another one where it is taken by now."""
        kept = self._chosen.get(name)
        if kept is not None and is_free(kept):
            return kept
        return self.renew(name)

    def renew(self, name: str) -> int:
        """Choose and keep a new port."""
        for _ in range(ATTEMPTS):
            port = LOWEST + secrets.randbelow(HIGHEST - LOWEST)
            if port not in self._chosen.values() and is_free(port):
                self._chosen[name] = port
                files.write_object(self._path, dict(self._chosen))
                return port
        raise errors.PortTaken(f"every port tried between {LOWEST} and {HIGHEST}")
