"""A fixed walk through the service that notes everything a caller can observe."""

import http.client
import json
import re
import socket
import struct
import threading
import time
from typing import Any
from urllib.parse import quote, urlsplit

from seed import BATCH, COUNSEL, DESK, RESEARCH, TOOLS

ALDER, SECOND, BIRCH, CYPRESS = (
    "alder-3F9cQ7-primary", "alder-8Kz2Lm-rotation", "birch-5Tq0Rv-primary", "cypress-2Wd8Xn-trial")
NOWHERE = "11111111-2222-4333-8444-555555555555"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
TOKEN = re.compile(r"signature=[\w-]+")
CURSOR = re.compile(r'"cursor":"[A-Za-z0-9_=-]{9,}"')


class Walk:
    """Sends requests and keeps a transcript in which ids and times have names."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.transcript: list[str] = []
        self._names: dict[str, str] = {}

    def note(self, label: str, value: Any) -> None:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        text = UUID.sub(lambda found: self._names.setdefault(found[0], f"id{len(self._names)}"), text)
        text = CURSOR.sub('"cursor":"…"', TOKEN.sub("signature=…", STAMP.sub("time", text)))
        self.transcript.append(f"{label}: {text.replace(str(self.port), 'port')}")

    def raw(self, method: str, path: str, key: str | None = ALDER, body: Any = None,
            headers: dict[str, str] | None = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            return send(connection, method, path, key, body, headers)
        finally:
            connection.close()

    def call(self, label: str, method: str, path: str, key: str | None = ALDER, body: Any = None,
             headers: dict[str, str] | None = None) -> Any:
        status, text = self.raw(method, path, key, body, headers)
        self.note(f"{label} {status}", text)
        try:
            return json.loads(text)
        except ValueError:
            return {}


def send(connection: http.client.HTTPConnection, method: str, path: str, key: str | None, body: Any,
         headers: dict[str, str] | None = None) -> tuple[int, str]:
    sent = dict(headers or {})
    if key is not None:
        sent["api-key"] = key
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    try:
        connection.request(method, path, data, sent)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as reason:
        return 0, type(reason).__name__


def ask(assistant: str = COUNSEL, text: str = "Is this legal advice?", **more: Any) -> dict[str, Any]:
    return {"assistant_id": assistant, "messages": [{"role": "user", "content": text}], **more}


def walk_keys(walk: Walk) -> None:
    for number, key in enumerate((None, "", "nobody", ALDER[:9], ALDER.upper(), SECOND)):
        walk.call(f"key {number} list", "GET", "/v1/assistants", key)
        walk.call(f"key {number} complete", "POST", "/v1/chat/completions", key, ask())
        walk.call(f"key {number} events", "POST", "/v1/chat/completions/events/stream", key, ask())
        walk.call(f"key {number} grant", "GET", "/v1/files/signed-url?filename=a.pdf", key, None, {"user-id": "u"})
    walk.call("key in query", "GET", f"/v1/assistants?api-key={ALDER}", None)
    connection = http.client.HTTPConnection("127.0.0.1", walk.port, timeout=10)
    for key in (ALDER, None, BIRCH):
        walk.note("one connection", list(send(connection, "GET", "/v1/assistants", key, None)))
    connection.close()


def walk_directory(walk: Walk) -> None:
    for key in (ALDER, BIRCH, CYPRESS):
        walk.call("assistants", "GET", "/v1/assistants", key)
        walk.call("keys", "GET", "/v1/tenants/my-api-keys", key)
    for ident in (COUNSEL, BATCH, DESK, NOWHERE):
        walk.call("assistant", "GET", f"/v1/assistants/{ident}")
    walk.call("closed tenant", "GET", "/v1/tenants/my-api-keys", "orphan-9Pb4Yc-closed")


def walk_validation(walk: Walk) -> None:
    user, system = {"role": "user", "content": "Hello"}, {"role": "system", "content": "Be brief"}
    bodies: list[Any] = [
        b"{", [], {"messages": [user]}, {"assistant_id": COUNSEL}, {"assistant_id": COUNSEL, "messages": []},
        {"assistant_id": COUNSEL, "messages": [system]}, {"assistant_id": COUNSEL, "messages": [system, user]},
        {"assistant_id": COUNSEL, "messages": [{"role": "assistant", "content": "x"}]},
        {"assistant_id": COUNSEL, "messages": [user, system]}, {"assistant_id": 7, "messages": [user]},
        {"assistant_id": COUNSEL, "messages": [{"role": "user", "content": ""}]},
        {"assistant_id": COUNSEL, "messages": [user, {"role": "user", "content": ""}]},
        {"assistant_id": COUNSEL, "messages": [user, {"role": "robot", "content": "x"}]},
        {"assistant_id": COUNSEL, "messages": [user, {}]}, {"assistant_id": COUNSEL, "messages": [{"content": "x"}]},
        ask(RESEARCH), ask(RESEARCH, user_data={}), ask(RESEARCH, user_data={"licence": None}),
        ask(RESEARCH, user_data={"licence": "L1"}), ask(RESEARCH, user_data={"other": 1}),
        ask(DESK), ask(NOWHERE), ask(user_id=5), ask(BATCH), ask(TOOLS),
    ]
    for number, body in enumerate(bodies):
        for place in ("", "/stream", "/events/stream"):
            walk.call(f"body {number}{place}", "POST", "/v1/chat/completions" + place, ALDER, body)
    walk.call("desk", "POST", "/v1/chat/completions", BIRCH, ask(DESK))


def walk_completions(walk: Walk) -> None:
    for place in ("", "/stream", "/events/stream"):
        path = "/v1/chat/completions" + place
        status, text = walk.raw("POST", path, ALDER, ask(text='He said "no", naïve § ✔\nReally'))
        walk.note(f"first {place} {status}", text)
        found = re.findall(r'"thread_id":\s*"([^"]+)"', text) or [NOWHERE]
        thread = found[-1]
        two = {"assistant_id": COUNSEL, "messages": [{"role": "system", "content": "Short"},
                                                     {"role": "user", "content": "And now"}]}
        walk.call("add", "POST", f"/v1/threads/{thread}/messages", ALDER, {"role": "user", "content": "x"})
        walk.call("listed", "GET", f"/v1/threads/{thread}/messages")
        walk.call("second", "POST", f"{path}?thread_id={thread}", ALDER, two)
        walk.call("add", "POST", f"/v1/threads/{thread}/messages", ALDER, {"role": "user", "content": "x"})
        walk.call("listed", "GET", f"/v1/threads/{thread}/messages")
        walk.call("foreign", "POST", f"{path}?thread_id={thread}", BIRCH, ask())
        walk.call("foreign list", "GET", f"/v1/threads/{thread}/messages", BIRCH)
        walk.call("unknown", "POST", f"{path}?thread_id={NOWHERE}", ALDER, ask())
        walk.call("odd", "POST", f"{path}?thread_id=odd", ALDER, ask())
        walk.call("timeout", "POST", f"{path}?thread_id={thread}", ALDER, ask(text="[simulate timeout]"))
        walk.call("outage", "POST", path, ALDER, ask(text="[simulate outage]"))
        walk.call("listed", "GET", f"/v1/threads/{thread}/messages")
        walk.call("long", "POST", path, ALDER, ask(text="Is it so? " * 60))


def new_thread(walk: Walk, key: str = ALDER) -> str:
    return str(walk.call("new thread", "POST", "/v1/threads", key, {}).get("id", NOWHERE))


def walk_threads(walk: Walk) -> None:
    thread = new_thread(walk)
    path = f"/v1/threads/{thread}/messages"
    for role, content in (("system", "First"), ("user", "  <b>Ünïcode</b> & 😀  "), ("user", ""), ("tool", ""),
                          ("assistant", ""), ("system", ""), ("assistant", "Said"), ("robot", "x"), ("tool", "x")):
        walk.call("create", "POST", path, ALDER, {"role": role, "content": content})
    walk.call("create", "POST", path, ALDER, {"content": "x"})
    walk.call("create", "POST", path, ALDER, {"role": "user", "content": "word " * 900})
    for target in (NOWHERE, "odd"):
        for method, tail, body in (("GET", "messages", None), ("POST", "messages", {"role": "user", "content": "x"}),
                                   ("POST", "run", {"assistant_id": COUNSEL}),
                                   ("POST", "run/stream", {"assistant_id": COUNSEL})):
            walk.call("unknown", method, f"/v1/threads/{target}/{tail}", ALDER, body)
    walk.call("foreign", "POST", path, BIRCH, {"role": "user", "content": "x"})
    walk.call("foreign", "POST", f"/v1/threads/{thread}/run", BIRCH, {"assistant_id": COUNSEL})
    walk.call("foreign empty", "GET", f"/v1/threads/{new_thread(walk)}/messages", BIRCH)
    made = walk.call("create", "POST", path, ALDER, {"role": "user", "content": "last"})
    page = walk.call("listed", "GET", path)
    newest = (page.get("items") or [{}])[0]
    walk.note("same time", made.get("created_at") == newest.get("created_at"))


def walk_pages(walk: Walk) -> None:
    thread = new_thread(walk)
    path = f"/v1/threads/{thread}/messages"
    for number in range(8):
        walk.raw("POST", path, ALDER, {"role": "user", "content": f"m{number}"})
    walk.raw("POST", f"/v1/threads/{thread}/run", ALDER, {"assistant_id": COUNSEL})
    for number in range(9, 12):
        walk.raw("POST", path, ALDER, {"role": "user", "content": f"m{number}"})
    for limit in (1, 3, 4, 5, 12, 200):
        page(walk, path, limit)
    for limit in ("0", "-1", "x"):
        walk.call("limit", "GET", f"{path}?limit={limit}")
    page(walk, path, 4, between=lambda: walk.raw("POST", path, ALDER, {"role": "user", "content": "late"}))
    for number in range(104):
        walk.raw("POST", path, ALDER, {"role": "user", "content": f"n{number}"})
    answer = walk.call("full", "GET", path)
    walk.note("default page", len(answer.get("items", [])))
    answer = walk.call("all", "GET", path + "?limit=500")
    walk.note("all", len(answer.get("items", [])))


def page(walk: Walk, path: str, limit: int, between: Any = None) -> None:
    cursor, seen = "", 0
    for _ in range(14):
        answer = walk.call(f"page {limit}", "GET", f"{path}?limit={limit}" + (f"&cursor={quote(cursor)}" if cursor else ""))
        items = answer.get("items", []) if isinstance(answer, dict) else []
        seen += len(items)
        cursor = str(answer.get("cursor") or "") if isinstance(answer, dict) else ""
        if between is not None:
            between()
            between = None
        if not cursor:
            break
    walk.note(f"pages of {limit}", seen)


def walk_runs(walk: Walk) -> None:
    thread = new_thread(walk)
    base, run = f"/v1/threads/{thread}", {"assistant_id": TOOLS}

    def add(role: str, content: str, **more: Any) -> Any:
        return walk.call("add", "POST", base + "/messages", ALDER, {"role": role, "content": content, **more})

    def both(label: str, body: Any = run) -> Any:
        walk.call(label + " stream", "POST", base + "/run/stream", ALDER, body)
        return walk.call(label, "POST", base + "/run", ALDER, body)

    walk.call("empty", "POST", base + "/run", ALDER, run)
    add("system", "Be brief")
    walk.call("system only", "POST", base + "/run", ALDER, run)
    add("user", "Look it up")
    for ident in (DESK, NOWHERE, RESEARCH, 7):
        both(f"assistant {ident}", {"assistant_id": ident})
    both("no assistant", {})
    answer = walk.call("asks", "POST", base + "/run", ALDER, run)
    calls = [call.get("id", "") for call in answer.get("tool_calls") or []] or ["", ""]
    both("open")
    elsewhere = new_thread(walk)
    walk.call("elsewhere", "POST", f"/v1/threads/{elsewhere}/messages", ALDER,
              {"role": "tool", "content": "x", "tool_call_id": calls[0]})
    add("tool", "x", tool_call_id="call_none")
    add("tool", "x")
    add("tool", "first result", tool_call_id=calls[0])
    both("half open")
    add("user", "go on")
    both("still open")
    add("tool", "second result", tool_call_id=calls[-1])
    walk.call("closed stream", "POST", base + "/run/stream", ALDER, run)
    walk.call("after answer", "POST", base + "/run/stream", ALDER, run)
    walk.call("again", "POST", base + "/run", ALDER, run)
    walk.call("listed", "GET", base + "/messages")
    run_second_round(walk)
    run_plain(walk)


def run_second_round(walk: Walk) -> None:
    thread = new_thread(walk)
    base, run = f"/v1/threads/{thread}", {"assistant_id": TOOLS}

    def add(role: str, **more: Any) -> Any:
        return walk.call("add", "POST", base + "/messages", ALDER, {"role": role, "content": "Said", **more})

    asked = add("user")
    answer = walk.call("asks", "POST", base + "/run", ALDER, run)
    walk.note("later", str(answer.get("created_at")) > str(asked.get("created_at")))
    calls = [call.get("id", "") for call in answer.get("tool_calls") or []] or ["", ""]
    for call in reversed(calls):
        add("tool", tool_call_id=call)
        walk.call("after one", "POST", base + "/run", ALDER, run)
    walk.call("listed", "GET", base + "/messages")
    for call in ("call_a", "call_b"):
        add("assistant", tool_calls=[{"id": call, "type": "function", "function": {"name": "n", "arguments": "{}"}}])
    add("tool", tool_call_id="call_b")
    walk.call("old call open", "POST", base + "/run", ALDER, run)


def run_plain(walk: Walk) -> None:
    for assistant in (COUNSEL, BATCH, RESEARCH):
        thread = new_thread(walk)
        base = f"/v1/threads/{thread}"
        body = {"assistant_id": assistant, "user_data": {"licence": "L"}}
        walk.call("add", "POST", base + "/messages", ALDER, {"role": "user", "content": "Question"})
        walk.call("run stream", "POST", base + "/run/stream", ALDER, body)
        walk.call("run", "POST", base + "/run", ALDER, body)
        walk.call("run", "POST", base + "/run", ALDER, body)
        walk.call("keyless", "POST", base + "/run/stream", "nobody", body)
        for text in ("[simulate outage]", "[simulate timeout]", "Better now"):
            walk.call("add", "POST", base + "/messages", ALDER, {"role": "user", "content": text})
            walk.call("run", "POST", base + "/run", ALDER, body)
        walk.call("add", "POST", base + "/messages", ALDER, {"role": "system", "content": "late"})
        walk.call("after system", "POST", base + "/run/stream", ALDER, body)
        walk.call("listed", "GET", base + "/messages")


def walk_files(walk: Walk) -> None:
    for number, user in enumerate((None, "u", "a.b-c@d:e_1", ".u", "a b", "ok!", "a/b", "é", "x" * 254, "x" * 255,
                                   "x" * 256, "x" * 300)):
        headers = {} if user is None else {"user-id": user}
        walk.call(f"grant {number}", "GET", "/v1/files/signed-url?filename=a.pdf", ALDER, None, headers)
    for query in ("", "filename=", "filename=b.csv&persist=false", "filename=my%20file%20%C3%A9.docx",
                  "filename=b.csv&persist=maybe"):
        grant = walk.call("grant", "GET", f"/v1/files/signed-url?{query}", ALDER, None, {"user-id": "u"})
        if "file_url" not in grant:
            continue
        url = urlsplit(grant["file_url"])
        target = f"{url.path}?{url.query}"
        walk.call("put", "PUT", target, None, b"a,b\n" * 10, {"content-type": "text/csv"})
        time.sleep(0.08)
        walk.call("state", "GET", f"/v1/files/{grant['file_id']}/status")
        walk.call("foreign state", "GET", f"/v1/files/{grant['file_id']}/status", BIRCH)


def together(calls: list[Any]) -> None:
    workers = [threading.Thread(target=call) for call in calls]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def walk_overlap(walk: Walk) -> None:
    thread = new_thread(walk)
    path = f"/v1/threads/{thread}/messages"
    replies: list[str] = []

    def add(number: int) -> None:
        text = walk.raw("POST", path, ALDER, {"role": "user", "content": f"p{number}"})[1]
        replies.extend(re.findall(r'^\{"id":\s*"([^"]+)"', text))

    for turn in range(3):
        together([lambda number=number: add(number) for number in range(turn * 6, turn * 6 + 6)])
    walk.note("distinct ids", len(set(replies)))
    walk.note("listed", len(json.loads(walk.raw("GET", path)[1]).get("items", [])))
    overlap_streams(walk)


def overlap_streams(walk: Walk) -> None:
    starts = [json.loads(walk.raw("POST", "/v1/chat/completions", ALDER, ask())[1]).get("thread_id", NOWHERE)
              for _ in range(4)]
    wrong: list[str] = []

    def one(place: str, thread: str) -> None:
        text = walk.raw("POST", f"/v1/chat/completions{place}?thread_id={thread}", ALDER, ask())[1]
        wrong.extend(found for found in re.findall(r'"thread_id":\s*"([^"]+)"', text) if found != thread)

    shapes: list[str] = []

    def run(assistant: str, own: str) -> None:
        thread = json.loads(walk.raw("POST", "/v1/threads", ALDER, {})[1]).get("id", NOWHERE)
        walk.raw("POST", f"/v1/threads/{thread}/messages", ALDER, {"role": "user", "content": "Q"})
        text = walk.raw("POST", f"/v1/threads/{thread}/run", ALDER, {"assistant_id": assistant})[1]
        if own not in text:
            shapes.append(own)

    for place in ("", "/stream"):
        for _ in range(3):
            together([lambda thread=thread: one(place, thread) for thread in starts])
    for _ in range(3):
        together([lambda: run(COUNSEL, "legal_advice"), lambda: run(BATCH, "confidence")] * 2)
    walk.note("wrong threads", bool(wrong))
    walk.note("wrong shapes", bool(shapes))


def walk_broken_off(walk: Walk) -> None:
    thread = new_thread(walk)
    base = f"/v1/threads/{thread}"
    walk.call("add", "POST", base + "/messages", ALDER, {"role": "user", "content": "Question"})
    body = json.dumps({"assistant_id": COUNSEL}).encode()
    peer = socket.create_connection(("127.0.0.1", walk.port), timeout=10)
    peer.sendall((f"POST {base}/run/stream HTTP/1.1\r\nHost: x\r\napi-key: {ALDER}\r\n"
                  f"Content-Length: {len(body)}\r\n\r\n").encode() + body)
    peer.recv(300)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
    time.sleep(0.2)
    walk.call("after", "GET", base + "/messages")
    walk.call("again", "POST", base + "/run", ALDER, {"assistant_id": COUNSEL})
    walk.call("next stream", "POST", "/v1/chat/completions/stream", ALDER, ask())


def walk_limit(walk: Walk) -> None:
    seen = ""
    for _ in range(20):
        status, text = walk.raw("GET", "/v1/tenants/my-api-keys", CYPRESS)
        seen = f"{status} {text}"
        if status != 200:
            break
    walk.note("limited", seen)
    walk.note("limited list", list(walk.raw("GET", f"/v1/threads/{NOWHERE}/messages", CYPRESS)))
    walk.call("other tenant", "GET", "/v1/tenants/my-api-keys", BIRCH)
    time.sleep(0.6)
    walk.call("lifted", "GET", "/v1/tenants/my-api-keys", CYPRESS)


def walk_stamps(walk: Walk) -> None:
    """Enough time stamps that one of them ends on a zero."""
    odd, first = 0, new_thread(walk)
    for _ in range(120):
        text = walk.raw("POST", "/v1/threads", ALDER, {})[1]
        odd += 1 if STAMP.search(text) is None else 0
    walk.note("odd stamps", odd > 0)
    walk.call("first thread", "GET", f"/v1/threads/{first}/messages")


STEPS = (walk_keys, walk_directory, walk_validation, walk_completions, walk_threads, walk_pages, walk_runs, walk_files,
         walk_overlap, walk_broken_off, walk_limit, walk_stamps)


def observe(port: int, steps: Any = STEPS) -> list[str]:
    """The transcript of the whole walk."""
    walk = Walk(port)
    for step in steps:
        walk.note("step", step.__name__)
        try:
            step(walk)
        except Exception as reason:  # noqa: BLE001  a fault may break the walk itself, and that counts
            walk.note("walk ended", type(reason).__name__)
    return walk.transcript
