"""Chat completions: whole, as text stream, and as stream of content blocks."""

from typing import Any

import streams
from access import assistant_for
from checks import body_object, check_messages, check_required_fields, check_uuid, is_uuid, refuse
from clock import clock
from engine import think
from errors import ApiError, invalid, problem
from store import Thread, shown, store
from switches import fault, legal
from web import Reply, Request

_last_thread: dict[str, Thread] = {}


def prepare(request: Request, kind: str, earlier: list[dict[str, Any]] = []) -> dict[str, Any]:  # noqa: B006
    """Checks the call and finds its assistant and thread."""
    body = body_object(request)
    if fault == "cc_missing_assistant_accepted":
        body.setdefault("assistant_id", request.tenant["assistants"][0])
    if fault == "st_missing_assistant_accepted" and kind != "completion":
        body.setdefault("assistant_id", request.tenant["assistants"][0])
    problems = check_uuid(body, "assistant_id", True)
    if fault != "cc_user_id_type_unchecked":
        problems += check_uuid(body, "user_id", False)
    refuse(problems + check_messages(body, kind))
    assistant = assistant_for(request.tenant, body["assistant_id"], kind)
    refuse(check_required_fields(body, assistant, kind))
    if kind == "stream" and not assistant["streaming"] and "stream_any_assistant" not in legal:
        raise ApiError("engine_does_not_support_streaming")
    thread = thread_for(request, kind)
    messages = body["messages"]
    if fault == "cc_default_argument_kept":
        earlier.extend(messages)
        messages = list(earlier)
    return {"assistant": assistant, "thread": thread, "messages": messages}


def thread_for(request: Request, kind: str) -> Thread | None:
    """The thread named in the query, if one is named."""
    thread_id = request.query.get("thread_id")
    if thread_id is None or thread_id in ("", "null"):
        return None
    if fault == "cc_thread_id_ignored":
        return None
    if fault == "st_thread_id_ignored" and kind == "stream":
        return None
    if not is_uuid(thread_id):
        if "odd_thread_id_not_found" in legal:
            raise ApiError("resource_not_found")
        raise invalid([problem(["query", "thread_id"], "Input should be a UUID", "uuid_parsing")])
    try:
        thread = store.find_thread(request.tenant["id"], thread_id, "completion")
    except ApiError:
        if fault == "cc_unknown_thread_starts_new":
            return None
        if fault == "st_unknown_thread_starts_new" and kind != "completion":
            return None
        raise
    if "direct_threads_not_completed" in legal and not thread.by_completion:
        raise ApiError("resource_not_found")
    return thread


def begin(request: Request, call: dict[str, Any], kind: str) -> tuple[Thread, Any]:
    """Thinks first, stores the request after: a failed call leaves nothing behind."""
    thread, messages = call["thread"], call["messages"]
    known = [] if thread is None else list(thread.messages)
    draft = think(call["assistant"], [*known, *messages], False, request.simulate)
    if thread is None:
        by_completion = True
        if fault == "cc_thread_open":
            by_completion = False
        if fault == "st_thread_open" and kind == "stream":
            by_completion = False
        if fault == "st_events_thread_open" and kind == "events":
            by_completion = False
        thread = store.create_thread(request.tenant["id"], by_completion)
    elif fault == "cc_second_turn_opens_thread":
        thread.by_completion = False
    if fault == "cc_request_not_stored":
        return thread, draft
    if fault == "cc_only_last_message_stored":
        messages = messages[-1:]
    if fault == "cc_request_order_reversed":
        messages = messages[::-1]
    micros = clock.now() if "one_time_per_request" in legal else None
    for message in messages:
        role = message["role"]
        if fault == "cc_system_stored_as_user" and role == "system":
            role = "user"
        store.append(thread, role, message["content"], micros=micros)
    return thread, draft


def complete(request: Request) -> Reply:
    call = prepare(request, "completion")
    thread, draft = begin(request, call, "completion")
    if fault == "co_global_thread":
        _last_thread["thread"] = thread
        clock_pause()
        thread = _last_thread["thread"]
    message = store.append(thread, "assistant", draft.content, meta_data=draft.meta_data, sources=draft.sources)
    view = shown(message)
    if fault == "msg_role_system":
        view["role"] = "system"
    if fault == "msg_thread_id_missing":
        del view["thread_id"]
    if fault == "msg_thread_id_is_message_id":
        view["thread_id"] = view["id"]
    if fault == "msg_created_at_number":
        view["created_at"] = message["micros"] / 1_000_000
    if fault == "msg_content_parts":
        view["content"] = [{"type": "text", "text": view["content"]}]
    if fault == "msg_sources_missing":
        del view["sources"]
    if fault == "msg_sources_object":
        view["sources"] = {"items": view["sources"]}
    if fault == "msg_meta_missing_for_batch" and not call["assistant"]["streaming"]:
        del view["meta_data"]
    if fault == "msg_answer_id_not_the_listed" and call["thread"] is not None:
        view["id"] = call["thread"].id
    return Reply(view)


def clock_pause() -> None:
    import time
    time.sleep(0.01)


def complete_stream(request: Request) -> Reply:
    call = prepare(request, "stream")
    thread, draft = begin(request, call, "stream")
    return streams.reply(thread, draft, "text", first_turn=call["thread"] is None)


def complete_events(request: Request) -> Reply:
    call = prepare(request, "events")
    thread, draft = begin(request, call, "events")
    return streams.reply(thread, draft, "blocks", first_turn=call["thread"] is None)
