"""Cedar: a server of the Assistant Conversation Service, standard library only.

Start it with `python3 server.py --port 0`; it prints its address as one JSON line.
"""

import json
import re
import sys
from http.server import ThreadingHTTPServer

import completions
import directory
import files
import runs
import threads
from switches import options
from web import Handler

_THREAD = r"/v1/threads/(?P<thread_id>[^/]+)"

Handler.routes = [
    (method, re.compile(pattern), endpoint, kind)
    for method, pattern, endpoint, kind in (
        ("POST", r"/v1/chat/completions", completions.complete, "completion"),
        ("POST", r"/v1/chat/completions/stream", completions.complete_stream, "stream"),
        ("POST", r"/v1/chat/completions/events/stream", completions.complete_events, "events"),
        ("POST", r"/v1/threads", threads.create_thread, "thread"),
        ("POST", _THREAD + "/run", runs.run, "run"),
        ("POST", _THREAD + "/run/stream", runs.run_stream, "run_stream"),
        ("GET", _THREAD + "/messages", threads.list_messages, "list"),
        ("POST", _THREAD + "/messages", threads.create_message, "create"),
        ("GET", r"/v1/assistants", directory.list_assistants, "assistants"),
        ("GET", r"/v1/assistants/(?P<assistant_id>[^/]+)", directory.get_assistant, "assistant"),
        ("GET", r"/v1/files/signed-url", files.signed_url, "files"),
        ("GET", r"(?:/v1)?/files/(?P<file_id>[^/]+)/status", files.status, "files"),
        ("PUT", r"/uploads/(?P<file_id>[^/]+)/.*", files.upload, "signed"),
        ("GET", r"/v1/tenants/my-api-keys", directory.my_api_keys, "tenant"),
    )
]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """A caller who leaves early is no event."""


def main() -> None:
    server = Server((options.host, options.port), Handler)
    host, port = server.server_address[:2]
    print(json.dumps({"url": f"http://{host}:{port}", "host": host, "port": port}), flush=True)
    try:
        server.serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
