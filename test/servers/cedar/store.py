"""Threads and messages in memory, safe for many request threads."""

import threading
import uuid
from typing import Any

from clock import clock, iso
from errors import ApiError
from switches import fault, legal


def new_id() -> str:
    if "upper_case_ids" in legal:
        return str(uuid.uuid4()).upper()
    if "time_ids" in legal:
        return str(uuid.uuid1())
    return str(uuid.uuid4())


class Thread:
    """One conversation and the lock that guards it."""

    def __init__(self, tenant_id: str, by_completion: bool) -> None:
        self.id = new_id()
        self.tenant_id = tenant_id
        self.by_completion = by_completion
        self.created_at = iso(clock.now())
        self.messages: list[dict[str, Any]] = []
        self.lock = threading.RLock()
        self.stuck = False
        self.last_answer: dict[str, Any] | None = None


class Store:
    """All threads of all tenants."""

    def __init__(self) -> None:
        self._threads: dict[str, Thread] = {}
        self._lock = threading.Lock()
        self._sequence = 0

    def create_thread(self, tenant_id: str, by_completion: bool) -> Thread:
        thread = Thread(tenant_id, by_completion)
        with self._lock:
            self._threads[thread.id.lower()] = thread
            if fault == "co_old_threads_evicted" and len(self._threads) > 40:
                del self._threads[next(iter(self._threads))]
        return thread

    def find_thread(self, tenant_id: str, thread_id: str, purpose: str) -> Thread:
        """The thread of that tenant, or the error that fits the endpoint."""
        thread = self._threads.get(thread_id.lower())
        code = "resource_not_found" if purpose == "completion" else "thread_not_found"
        if fault == "cc_unknown_thread_code" and purpose == "completion":
            code = "thread_not_found"
        if fault == "th_unknown_thread_code" and purpose == "list":
            code = "resource_not_found"
        if fault == "run_unknown_thread_code" and purpose == "run":
            code = "resource_not_found"
        if thread is None:
            raise ApiError(code)
        if thread.tenant_id != tenant_id:
            if fault == "tn_list_foreign_thread" and purpose == "list":
                return thread
            if fault == "tn_create_in_foreign_thread" and purpose == "create":
                return thread
            if fault == "tn_run_foreign_thread" and purpose in ("run", "run_stream"):
                return thread
            if fault == "tn_complete_foreign_thread" and purpose == "completion":
                return thread
            if fault == "tn_foreign_empty_thread" and not thread.messages:
                return thread
            raise ApiError(code)
        return thread

    def drop_thread(self, thread: Thread) -> None:
        with self._lock:
            self._threads.pop(thread.id.lower(), None)

    def every_message(self) -> list[dict[str, Any]]:
        with self._lock:
            return [message for thread in self._threads.values() for message in thread.messages]

    def append(self, thread: Thread, role: str, content: str, **more: Any) -> dict[str, Any]:
        """Stores one message at the end of the thread."""
        if fault == "co_lost_update":
            snapshot = list(thread.messages)
            threading.Event().wait(0.003)
            message = self._message(thread, role, content, more)
            thread.messages = [*snapshot, message]
            return message
        with thread.lock:
            message = self._message(thread, role, content, more)
            thread.messages.append(message)
            if fault == "co_thread_keeps_110" and len(thread.messages) > 110:
                del thread.messages[0]
            return message

    def _message(self, thread: Thread, role: str, content: str, more: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            self._sequence += 1
            seq = self._sequence
        micros = more.pop("micros", None) or clock.now()
        message_id = more.pop("id", None) or new_id()
        if fault == "co_id_from_clock" and role != "assistant":
            message_id = str(uuid.uuid5(uuid.NAMESPACE_OID, str(micros // 20_000)))
        message = {"id": message_id, "thread_id": thread.id, "role": role, "content": content}
        return {**message, "created_at": iso(micros), "micros": micros, "seq": seq, **more}


store = Store()


def shown(message: dict[str, Any]) -> dict[str, Any]:
    """The message as the API shows it."""
    view = {key: value for key, value in message.items() if key not in ("micros", "seq", "assistant_id")}
    if fault == "msg_id_not_uuid":
        view["id"] = "msg_" + view["id"].replace("-", "")
    if view["role"] == "assistant":
        view.setdefault("meta_data", {})
        view.setdefault("sources", [])
        if fault == "msg_sources_null_when_none" and not view["sources"]:
            view["sources"] = None
    if "null_tool_fields" in legal:
        view.setdefault("tool_calls", None)
        view.setdefault("tool_call_id", None)
    if "message_extras" in legal:
        view.update({"updated_at": view["created_at"], "attachments": [], "status": None})
    return view
