"""HTTPS with the certificate of a throw-away authority, for clients with built-in host names."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from pathlib import Path

from ..config import ConfigError

#: The names of Lichess's servers, `.ovh` as older clients use them.
HOST_NAMES = (
    "localhost",
    "127.0.0.1",
    "::1",
    "lichess.org",
    "explorer.lichess.org",
    "tablebase.lichess.org",
    "explorer.lichess.ovh",
    "tablebase.lichess.ovh",
)


def server_context(ca_file: Path, names: Sequence[str] = ()) -> ssl.SSLContext:
    """Return a context for HOST_NAMES and further names, and write the authority's certificate to `ca_file`.

    The authority's key is never written. Raises ConfigError if the library is missing or the file cannot be written.
    """
    try:
        import trustme
    except ImportError as error:
        raise ConfigError("tls: the package trustme is missing; install fake-lichess[tls]") from error
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*dict.fromkeys((*HOST_NAMES, *names))).configure_cert(context)
    try:
        ca_file.write_bytes(authority.cert_pem.bytes())
    except OSError as error:
        raise ConfigError(f"tls: {ca_file}: {error.strerror}; name a file in an existing folder") from error
    return context
