"""A page of the web as text, within bounds: `fetch_text`, and the tool `read_page`.

A model may ask for an address inside this network, or for a file that never ends. So each
connection is checked after the name was looked up and before anything is sent, and again for each
redirect. Size and time are bounded. A person's rules are about the address of a call, so a redirect
to another page is named instead of followed; a second call meets the rules.
"""

import ipaddress
import re
import socket
import threading
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any
from urllib.parse import quote_plus, urljoin, urlsplit

from g2c.foreign_json import load_json
from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.text import printable, short_reason
from g2c.tools.failing import FailureKind
from g2c.tools.html_text import text_of_html
from g2c.tools.tool import Tool, ToolError, ToolExample, check_limits
from g2c.tools.web_search import Search, SearchHit

MAX_BYTES = 2_000_000
MAX_CHARS = 6_000
"""The most characters of a page for a model, about 1,500 tokens."""
DEADLINE_S = 20.0
SILENCE_S = 8.0
NOT_THERE = (
    "it is not there, or not at a public address. There may be no way to the internet from here"
)
"""One sentence for both, or a model could find out which hosts exist in this network."""
MAX_REDIRECTS = 3
MAX_ADDRESS_CHARS = 2_000
"""The longest address that a redirect is told with. Half of one would lead nowhere."""
REDIRECTS = (301, 302, 303, 307, 308)
INSTALL = "pip install 'g2c[course]'"

IsAllowed = Callable[[str], bool]
"""Whether a connection to this IP address may be used."""

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NOT_PUBLIC = [
    ipaddress.ip_network(network)
    for network in (
        "192.88.99.0/24",  # relays of 6to4, no longer in use
        "::/96",  # an IPv4 address in its oldest IPv6 form
        "::ffff:0:0:0/96",  # IPv4 addresses that a gateway translates
        "64:ff9b:1::/48",  # NAT64 within a network
        "3fff::/20",  # for examples
        "5f00::/16",  # for routers among themselves
        "fec0::/10",  # once a site's own
    )
]
"""Networks that some versions of Python count as public."""

_TEXT_KINDS = re.compile(
    r"|text/.*|\w+/(.*\+)?(json|xml|yaml)"
    r"|application/(x-)?(csv|javascript|jsonl|ndjson|sh|sql|tex|toml|yaml)"
)
"""The content types that are text, besides HTML; an empty one may be."""
_LABEL = rb"\s*=\s*[\"']?([-\w]{1,40})"
_CHARSET = re.compile(rb"charset" + _LABEL, re.IGNORECASE)
_OWN_CHARSET = re.compile(
    rb"(?:<meta\b[^>]{,400}?\bcharset|<\?xml\b[^>]{,99}\sencoding)" + _LABEL, re.IGNORECASE
)
"""The place where a page or XML names its encoding; its prose and scripts may name others."""
_SECONDS = re.compile("[0-9]{1,9}")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)


def is_public(address: str) -> bool:
    """Whether an IP address is public, also if it embeds an IPv4 address.

    >>> [is_public(host) for host in ("93.184.216.34", "127.0.0.1", "::ffff:10.0.0.1", "fe80::1%2")]
    [True, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFF_FFFF)
        found = inner or found
    return (
        found.is_global
        and not found.is_multicast
        and not any(found in network for network in _NOT_PUBLIC)
    )


def is_same_page(url: str, to: str) -> bool:
    """Whether a redirect from `url` to `to` leads to the page that was asked for: by https instead
    of http, or with or without a final slash. A rule about one of them is about the other.

    >>> is_same_page("http://mill.example/a", "https://mill.example/a/")
    True
    >>> is_same_page("https://mill.example/a", "https://mill.example/b")
    False
    """
    (scheme, *old), (safe, *new) = _page(url), _page(to)
    return old == new and (safe == scheme or safe == "https")


def fetch_text(
    url: str,
    is_allowed: IsAllowed = is_public,
    *,
    max_bytes: int = MAX_BYTES,
    deadline_s: float = DEADLINE_S,
    _authorities: str | bool = True,
) -> str:
    """The text at `url`: a page's words without its scripts, or a plain text unchanged.

    No proxy, password or cookie of this machine is used. A redirect is followed to the same page
    only (see `is_same_page`).

    Raises:
        ToolError: it cannot or must not be read, or leads to another page; the message says why, or
            where.
    """
    if re.match(r"\s*\w+://[^/?#]*@", url):  # the sentence does not repeat a password
        raise ToolError("That address has a name or a password before its host; leave it out.")
    if not _is_address(url):
        raise ToolError(f"{url[:200]!r} is not an address of a page; one begins with https://.")
    try:
        import requests
        from urllib3.exceptions import HTTPError
    except ImportError:
        raise ToolError(f"Reading pages needs packages that are not here: {INSTALL}") from None
    connections = _Connections(is_allowed)
    found: list[tuple[str, bytes] | Exception] = []

    def read() -> None:
        try:
            found.append(_read(url, connections, max_bytes, _authorities))
        except Exception as error:
            found.append(error)
        finally:
            connections.close()

    # A server that sends a byte now and then never times out, and a name can have many addresses
    # that do not answer. So the deadline is kept here, by hanging up.
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        reader.join(deadline_s)
    finally:
        in_time = list(found)  # what arrives after the hang-up may be half a page
        connections.hang_up()
    if not in_time:
        raise ToolError(f"{_shown(url)} cannot be read: it took too long.", kind="lost")
    try:
        if isinstance(in_time[0], Exception):
            raise in_time[0]
    except (
        *(_RefusedError, requests.RequestException, HTTPError, HTTPException),
        *(OSError, ValueError, LookupError),
    ) as error:
        raise ToolError(
            f"{_shown(url)} cannot be read: {_reason(error)}.",
            kind=_kind(error),
            retry_after=getattr(error, "retry_after", None),
        ) from None
    said, content = in_time[0]
    kind, _, parameters = said.lower().partition(";")
    kind, charset = kind.strip(), _CHARSET.search(parameters.encode("utf-8", "replace"))
    is_page = "html" in kind or (not kind and content.lstrip()[:1] == b"<")
    if is_page or _TEXT_KINDS.fullmatch(kind):
        # If the server names no charset, a page or XML may, near its beginning.
        names_own = not charset and (is_page or kind.endswith("xml"))
        start = _COMMENT.sub(b"", content[:2_048])
        inside = _OWN_CHARSET.search(start) if names_own else None
        text = _decoded(content, charset or inside, is_inside=bool(inside))
        return printable(text_of_html(text) if is_page else text)
    raise ToolError(f"{_shown(url)} is not text but {printable(kind)[:60]}.")


def make_read_page(read: Callable[[str], str] = fetch_text, max_chars: int = MAX_CHARS) -> Tool:
    """The tool `read_page`, which returns the beginning of what `read` returns for an address.

    Raises:
        ToolError: the limit as `check_limits`; in a call, see `fetch_text`.
    """
    check_limits(max_chars=max_chars)

    def read_page(url: str) -> str:
        text = read(url) or "(the page has no words; it may need JavaScript)"
        more = len(text) - max_chars
        return text if more <= 0 else f"{text[:max_chars]}\n[{more:,} more characters]"

    return Tool(
        name="read_page",
        effect="none",
        description="Read a page of the web.",
        parameters=object_schema(url=text_schema(about="its address, which begins with https://")),
        func=read_page,
        example=ToolExample(
            question="What does https://example.org say?",
            thought="I need to read the page.",
            arguments={"url": "https://example.org"},
            observation="Example Domain",
            answer="It says: Example Domain.",
        ),
    )


def searxng(address: str, fetch: Callable[[str], str] | None = None) -> Search:
    """A search through the SearXNG server at `address`, such as http://localhost:8888.

    The server is the person's own choice, so it may be on this machine. Its settings must allow
    JSON (`search: formats:`). Source: docs.searxng.org/dev/search_api.html.
    """
    read = fetch or (lambda url: fetch_text(url, is_allowed=lambda address: True))

    def search(query: str) -> Sequence[SearchHit]:
        found = read(f"{address.rstrip('/')}/search?format=json&q={quote_plus(query)}")
        try:
            results = load_json(found)["results"]
            return [
                SearchHit(*(str(result.get(key) or "") for key in ("title", "url", "content")))
                for result in results
            ]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ToolError(
                f"{_shown(address)} gave no results in JSON; its settings have to allow that form."
            ) from None

    return search


class _RefusedError(Exception):
    """A connection must not be used."""


class _StatusError(ValueError):
    """The server answered with an error."""

    def __init__(self, status: int, retry_after: str) -> None:
        super().__init__(f"the server says {status}")
        self.status = status
        self.retry_after = float(retry_after) if _SECONDS.fullmatch(retry_after) else None


class _Connections:
    """The connections of one fetch. Each is checked, and all can be closed at once."""

    def __init__(self, is_allowed: IsAllowed) -> None:
        self.is_late = False
        self._is_allowed = is_allowed
        self._open: list[socket.socket] = []

    def check(self, connection: socket.socket) -> socket.socket:
        # A copy, since the socket is empty once TLS has wrapped it. It is stored before the
        # deadline is checked, so that this one is hung up, too.
        self._open.append(connection.dup())
        if self.is_late or not self._is_allowed(str(connection.getpeername()[0])):
            connection.close()
            raise _RefusedError
        return connection

    def hang_up(self) -> None:
        self.is_late = True
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it has ended already

    def close(self) -> None:
        for connection in self._open:
            connection.close()

    def adapter(self) -> Any:
        from requests.adapters import HTTPAdapter
        from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
        from urllib3.connection import HTTPConnection, HTTPSConnection

        check = self.check

        class Plain(HTTPConnection):
            def _new_conn(self) -> socket.socket:
                return check(super()._new_conn())

        class Secure(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                return check(super()._new_conn())

        class PlainPool(HTTPConnectionPool):
            ConnectionCls = Plain

        class SecurePool(HTTPSConnectionPool):
            ConnectionCls = Secure

        adapter = HTTPAdapter()
        pools = {"http": PlainPool, "https": SecurePool}
        adapter.poolmanager.pool_classes_by_scheme = pools
        return adapter


def _read(
    url: str, connections: _Connections, max_bytes: int, authorities: str | bool
) -> tuple[str, bytes]:
    """The content type and the content at the address, after redirects."""
    import requests

    class Session(requests.Session):
        def get_redirect_target(self, resp: requests.Response) -> None:
            """Nowhere: `requests` would read all of an answer that leads on."""

    with Session() as session:
        session.trust_env = False
        session.verify = authorities
        for scheme in ("http://", "https://"):
            session.mount(scheme, connections.adapter())
        wanted = {"Accept": "text/*, */*;q=0.5", "Accept-Encoding": "identity"}
        headers = {"User-Agent": "g2c", **wanted}
        for _ in range(1 + MAX_REDIRECTS):
            with session.get(url, stream=True, timeout=SILENCE_S, headers=headers) as answer:
                to, asked = answer.headers.get("Location"), answer.url
                if answer.status_code not in REDIRECTS or to is None:
                    return answer.headers.get("Content-Type", ""), _content(answer, max_bytes)
            # http.client reads headers as Latin-1, and servers write UTF-8.
            url = urljoin(asked, to.encode("latin-1", "replace").decode("utf-8", "replace"))
            if not _is_address(url) or len(url) > MAX_ADDRESS_CHARS:
                raise ValueError("it leads to what is not an address of a page")
            url = str(requests.Request("GET", url).prepare().url)  # no spaces: one address
            if not is_same_page(asked, url):
                raise ToolError(f"{_shown(asked)} leads to another page. Read {url} instead.")
    raise ValueError(f"it leads on more than {MAX_REDIRECTS} times")


def _content(answer: Any, max_bytes: int) -> bytes:
    if answer.status_code >= 400:
        raise _StatusError(answer.status_code, answer.headers.get("Retry-After", ""))
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        raise ValueError("it is packed, and could be of any size")
    parts, size = [], 0
    for part in answer.iter_content(16_384):
        parts.append(part)
        size += len(part)
        if size > max_bytes:
            raise ValueError(f"it has more than {max_bytes:,} bytes")
    return b"".join(parts)


def _decoded(content: bytes, charset: re.Match[bytes] | None, *, is_inside: bool = False) -> str:
    """The text, by the label of its encoding as browsers understand it: iso-8859-1 means
    windows-1252, which is also what has no known label and not one letter of UTF-8. A byte-order
    mark counts more. `is_inside` is whether a page names the encoding itself; as that could be
    read, it is not UTF-16. Source: encoding.spec.whatwg.org."""
    import webencodings

    label = charset[1].decode("ascii", "replace") if charset else ""
    lookup = webencodings.lookup
    encoding = lookup(label) or lookup(label.replace("-", ""))
    if encoding and is_inside and encoding.name.startswith("utf-16"):
        encoding = webencodings.UTF8
    if not encoding:
        is_utf_8 = content.isascii() or not content.decode("utf-8", "ignore").isascii()
        encoding = webencodings.UTF8 if is_utf_8 else lookup("windows-1252")
    text, _ = webencodings.decode(content, encoding, "replace")
    return str(text)


def _reason(error: Exception) -> str:
    import requests

    if isinstance(error, requests.exceptions.SSLError):
        return "there is no safe connection to it"
    if _is_silence(error):
        return "its server is silent"
    if isinstance(error, (_RefusedError, requests.ConnectionError)):
        return NOT_THERE
    return printable(short_reason(error))[:200].rstrip(".") or type(error).__name__


def _kind(error: Exception) -> FailureKind:
    """How reading failed. A host that is not there will hardly be there in a moment."""
    import requests

    if isinstance(error, _StatusError) and error.status in (429, 503):
        return "busy"
    if isinstance(error, _StatusError) and error.status >= 500:
        return "broken"
    has_ended = isinstance(error, requests.exceptions.ChunkedEncodingError)
    is_lost = has_ended or _is_silence(error) or "Connection aborted" in str(error)
    return "lost" if is_lost else "refused"


def _is_silence(error: Exception) -> bool:
    """Whether a server took too long, before its answer or in the middle of it."""
    import requests
    from urllib3.exceptions import ReadTimeoutError

    return isinstance(error, requests.Timeout) or any(
        isinstance(cause, ReadTimeoutError) for cause in error.args
    )


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        return parts.scheme in ("http", "https") and is_whole
    except ValueError:
        return False


def _page(url: str) -> list[object]:
    """The scheme of an address, then all that another scheme or a final slash leaves as it is. A
    query makes the slash count, since a rule about a folder covers only one of the two."""
    parts = urlsplit(url)
    standard = {"http": 80, "https": 443}[parts.scheme]
    port = None if parts.port == standard else parts.port
    path = (parts.path or "/") if parts.query else parts.path.rstrip("/")
    return [parts.scheme, parts.hostname, port, path, parts.query]


def _shown(url: str) -> str:
    return printable(url)[:200]
