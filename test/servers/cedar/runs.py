"""Runs: the assistant answers on a thread, whole or as a stream."""

from typing import Any

import streams
from access import assistant_for
from checks import body_object, check_required_fields, check_uuid, refuse
from engine import think
from errors import ApiError
from store import Thread, shown, store
from switches import fault, legal
from web import Reply, Request

_running: dict[str, Any] = {}


def prepare(request: Request, kind: str) -> tuple[Thread, dict[str, Any], dict[str, Any]]:
    thread = store.find_thread(request.tenant["id"], request.params["thread_id"], kind)
    body = body_object(request)
    if "run_default_assistant" in legal:
        body.setdefault("assistant_id", request.tenant["assistants"][0])
    if fault == "run_tools_demanded" and "tools" not in body:
        raise ApiError("bad_request")
    refuse(check_uuid(body, "assistant_id", True))
    assistant = assistant_for(request.tenant, body["assistant_id"], kind)
    refuse(check_required_fields(body, assistant, kind))
    if kind == "run_stream" and not assistant["streaming"]:
        if fault == "run_stream_any_assistant":
            return thread, assistant, body
        if fault == "run_stream_code":
            raise ApiError("bad_request")
        raise ApiError("engine_does_not_support_streaming")
    if fault == "run_whole_refused_for_batch" and not assistant["streaming"]:
        raise ApiError("engine_does_not_support_streaming")
    return thread, assistant, body


def check_thread(thread: Thread, kind: str) -> None:
    """The rules a thread must keep before the assistant may answer."""
    messages = thread.messages
    if thread.stuck:
        raise ApiError("internal_service_error")
    roles = [message["role"] for message in messages]
    if fault == "run_needs_user_last" and roles and roles[-1] != "user":
        raise ApiError("bad_request")
    if "user" not in roles:
        if fault == "run_empty_thread_accepted" and not roles:
            return
        if fault == "run_no_user_accepted" and roles:
            return
        raise ApiError("bad_request")
    check_tools(messages, kind)
    if kind == "run_stream":
        check_end(roles)


def check_tools(messages: list[dict[str, Any]], kind: str) -> None:
    if fault == "run_open_calls_accepted":
        return
    if fault == "run_stream_open_calls_accepted" and kind == "run_stream":
        return
    open_calls: set[str] = set()
    for message in messages:
        if fault == "run_later_user_closes_calls" and message["role"] == "user":
            open_calls = set()
        calls = {call["id"] for call in message.get("tool_calls") or [] if isinstance(call, dict) and "id" in call}
        if fault == "run_only_last_call_checked":
            calls = set(list(call["id"] for call in message.get("tool_calls") or [])[-1:])
        if fault == "run_new_calls_forget_old" and calls:
            open_calls = set()
        open_calls |= calls
        if message["role"] == "tool":
            if fault == "run_one_tool_message_closes_all":
                open_calls = set()
            open_calls.discard(str(message.get("tool_call_id")))
    if open_calls:
        raise ApiError("bad_request")


def check_end(roles: list[str]) -> None:
    allowed = {"user", "tool"}
    if fault == "run_stream_after_assistant":
        allowed.add("assistant")
    if fault == "run_stream_after_system":
        allowed.add("system")
    if fault == "run_stream_refuses_tool_end":
        allowed.discard("tool")
    if roles[-1] not in allowed:
        raise ApiError("bad_request")


def draft_for(thread: Thread, assistant: dict[str, Any], body: dict[str, Any], simulate: str) -> Any:
    history = list(thread.messages)
    if all(message["role"] != "user" for message in history):
        history.append({"role": "user", "content": "(nothing asked)"})
    if fault == "run_assistant_of_other_call":
        import time
        _running["assistant"] = assistant
        time.sleep(0.01)
        assistant = _running["assistant"]
    try:
        return think(assistant, history, body.get("tool_choice") != "none", simulate)
    except ApiError as error:
        if fault == "run_failure_stores_empty_answer":
            store.append(thread, "assistant", "")
        if fault == "run_failure_locks_thread":
            thread.stuck = True
        if fault == "run_failure_eats_question":
            thread.messages.pop()
        if fault == "run_timeout_answers_anyway" and error.code == "api_timeout_error":
            from engine import Draft
            return Draft("The request timed out.", {}, [])
        raise


def run(request: Request) -> Reply:
    thread, assistant, body = prepare(request, "run")
    with thread.lock:
        check_thread(thread, "run")
        if fault == "run_second_gives_first_answer" and thread.last_answer is not None:
            return Reply(shown(thread.last_answer))
        draft = draft_for(thread, assistant, body, request.simulate)
        more: dict[str, Any] = {"meta_data": draft.meta_data, "sources": draft.sources}
        if draft.tool_calls:
            more["tool_calls"] = draft.tool_calls
        if fault == "run_content_null_with_tools" and draft.tool_calls:
            message = store.append(thread, "assistant", draft.content, **more)
            return Reply({**shown(message), "content": None})
        if fault == "run_answer_not_stored":
            other = Thread(thread.tenant_id, False)
            other.id = thread.id
            return Reply(shown(store.append(other, "assistant", draft.content, **more)))
        message = store.append(thread, "assistant", draft.content, **more)
        if fault == "run_answer_stored_twice":
            store.append(thread, "assistant", draft.content, **more)
        if fault == "run_tools_answer_stored_as_tool" and thread.messages[-2]["role"] == "tool":
            message["role"] = "tool"
        thread.last_answer = message
    view = shown(message)
    if fault == "run_role_user":
        view["role"] = "user"
    if fault == "run_created_at_of_question":
        view["created_at"] = thread.messages[-2]["created_at"]
    if fault == "run_meta_left_out_after_tools" and thread.messages[-2]["role"] == "tool":
        del view["meta_data"]
    if fault == "run_answer_wrapped":
        view = {"message": view}
    return Reply(view)


def run_stream(request: Request) -> Reply:
    thread, assistant, body = prepare(request, "run_stream")
    with thread.lock:
        check_thread(thread, "run_stream")
        draft = draft_for(thread, assistant, body, request.simulate)
    if fault == "run_stream_whole_answer":
        more: dict[str, Any] = {"meta_data": draft.meta_data, "sources": draft.sources}
        return Reply(shown(store.append(thread, "assistant", draft.content, **more)))
    return streams.reply(thread, draft, "text")
