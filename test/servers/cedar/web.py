"""The HTTP side of cedar: request and reply objects, JSON and NDJSON on the wire."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import access
from errors import ApiError, error_body
from switches import fault, legal, options


@dataclass
class Request:
    """What an endpoint sees of a call."""

    method: str
    path: str
    query: dict[str, str]
    headers: Any
    raw: bytes
    host: str
    tenant: dict[str, Any] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)

    @property
    def simulate(self) -> str:
        """The upstream failure that a tester asks for."""
        return self.headers.get("x-cedar-simulate") or ""

    def json(self) -> Any:
        try:
            return json.loads(self.raw.decode("utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError) as reason:
            from errors import invalid, problem
            if fault == "er_broken_json_html":
                raise RuntimeError("cannot parse body") from reason
            raise invalid([problem(["body"], "Body is not valid JSON", "json_invalid")]) from reason


@dataclass
class Reply:
    """A whole answer. `lines` makes it a stream; `broken` hears of a caller who left."""

    body: Any = None
    status: int = 200
    lines: Iterator[dict[str, Any]] | None = None
    broken: Any = None


def reverse_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reverse_keys(value[key]) for key in reversed(list(value))}
    if isinstance(value, list):
        return [reverse_keys(entry) for entry in value]
    return value


def dump(value: Any, stream: bool = False) -> str:
    if "reversed_keys" in legal:
        value = reverse_keys(value)
    if "pretty_json" in legal and not stream:
        return json.dumps(value, indent=2, ensure_ascii=False)
    if "escaped_unicode" in legal:
        return json.dumps(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_half_written: list[str] = []


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_version = "cedar/1.4"
    routes: list[tuple[str, Any, Any, str]] = []

    def setup(self) -> None:
        super().setup()
        self.remembered: dict[str, Any] | None = None

    def log_message(self, *_: Any) -> None:
        """Stays quiet."""

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def do_PATCH(self) -> None:
        self._serve()

    def _serve(self) -> None:
        url = urlsplit(self.path)
        query = {key: values[-1] for key, values in parse_qs(url.query, keep_blank_values=True).items()}
        request = Request(self.command, url.path, query, self.headers, b"",
                          self.headers.get("host") or "127.0.0.1")
        if fault != "er_body_left_on_refusal":
            request.raw = self._read_body()
        try:
            reply = self._answer(request)
        except ApiError as error:
            if fault == "er_thread_404_text" and error.code == "thread_not_found":
                return self._send(error.status, "text/plain", "Thread not found")
            if error.code == "unauthorized" and "bare_401" in legal:
                return self._send(error.status, "text/plain", "")
            return self._send(error.status, "application/json", dump(error_body(error, url.path)))
        except Exception:  # noqa: BLE001  the last resort of the connection
            return self._send(500, "text/html", "<h1>Internal Server Error</h1>")
        if reply.lines is not None:
            return self._stream(reply)
        self._send(reply.status, "application/json", "" if reply.body is None else dump(reply.body))

    def _read_body(self) -> bytes:
        if "chunked" in (self.headers.get("transfer-encoding") or "").lower():
            parts = []
            while (size := int(self.rfile.readline().split(b";")[0], 16)) > 0:
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def _answer(self, request: Request) -> Reply:
        for method, pattern, endpoint, kind in self.routes:
            found = pattern.fullmatch(request.path)
            if found is None or method != request.method:
                continue
            request.params = found.groupdict()
            if kind != "signed":
                request.tenant = access.tenant_of(request.headers.get("api-key"), request, kind, self)
                access.count(request, kind)
                if request.simulate and kind not in ("completion", "stream", "events", "run", "run_stream"):
                    raise ApiError(request.simulate)
            if fault == "er_body_left_on_refusal":
                request.raw = self._read_body()
            return endpoint(request)
        if "plain_unknown_path" in legal:
            return Reply({"detail": "Not Found"}, 404)
        raise ApiError("resource_not_found", status=404)

    def _send(self, status: int, media: str, text: str) -> None:
        data = text.encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", media + ("; charset=utf-8" if "charset_named" in legal else ""))
        self.send_header("Content-Length", str(len(data)))
        self._more_headers(status)
        self.end_headers()
        self.wfile.write(data)

    def _more_headers(self, status: int) -> None:
        if "extra_headers" in legal:
            self.send_header("X-Request-Id", "3f1c")
            self.send_header("Cache-Control", "no-store")
        if status == 429:
            self.send_header("Retry-After", "2")
        if "no_keep_alive" in legal:
            self.send_header("Connection", "close")
            self.close_connection = True

    # -- streams ---------------------------------------------------------------------------------

    def _stream(self, reply: Reply) -> None:
        assert reply.lines is not None
        if "buffered_streams" in legal:
            text = "".join(dump(line, True) + "\n" for line in reply.lines)
            return self._send(200, "application/x-ndjson", text)
        self.send_response(200)
        media = "application/json" if "stream_as_json" in legal else "application/x-ndjson"
        self.send_header("Content-Type", "text/plain" if "stream_as_text" in legal else media)
        self.send_header("Transfer-Encoding", "chunked")
        self._more_headers(200)
        self.end_headers()
        try:
            self._write_lines(reply.lines)
            self._chunk(b"", last=True)
        except OSError:
            self.close_connection = True
            if reply.broken is not None:
                reply.broken()

    def _write_lines(self, lines: Iterator[dict[str, Any]]) -> None:
        if fault == "st_json_array":
            return self._chunk((dump(list(lines), True) + "\n").encode())
        pending: dict[str, Any] | None = None
        number = 0
        for line in lines:
            if pending is not None:
                number += 1
                self._line(pending, number, False)
            pending = line
            if "paused_streams" in legal:
                time.sleep(0.03)
            time.sleep(options.pace)
        if pending is not None:
            self._line(pending, number + 1, True)
        if fault == "st_done_marker":
            self._chunk(b"[DONE]\n")
        if "blank_last_line" in legal:
            self._chunk(b"\n")

    def _line(self, line: dict[str, Any], number: int, last: bool) -> None:
        text = dump(line, True)
        end = "\r\n" if "crlf_lines" in legal else "\n"
        if "no_final_newline" in legal and last:
            end = ""
        if fault == "st_sse_prefix":
            text, end = "data: " + text, "\n\n"
        if fault == "st_pretty_json":
            text = json.dumps(line, indent=1, ensure_ascii=False)
        if fault == "st_two_on_a_line_at_5" and number == 5:
            end = ""
        if fault == "st_comma_between_lines" and not last:
            end = ",\n"
        if fault == "st_raw_newline":
            text = text.replace("\\n", "\n")
        if fault == "st_last_line_cut" and last:
            text, end = text[: len(text) * 2 // 3], ""
        if fault == "st_quotes_unescaped_late" and number > 4:
            text = text.replace('\\"', '"')
        data = (text + end).encode("utf-8")
        if fault == "st_non_ascii_latin1" and number > 1:
            data = (text + end).encode("latin-1", "replace")
        if fault == "st_break_off_leaks_line":
            if _half_written:
                data = _half_written.pop().encode() + data
            try:
                return self._chunk(data)
            except OSError:
                _half_written.append(text + end)
                raise
        if "split_writes" in legal:
            middle = len(data) // 2
            self._chunk(data[:middle])
            time.sleep(0.001)
            data = data[middle:]
        self._chunk(data)

    def _chunk(self, data: bytes, last: bool = False) -> None:
        if data or last:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


