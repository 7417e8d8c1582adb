"""Threads: creating them, adding messages to them, listing their messages."""

import base64
import json
from contextlib import nullcontext
from typing import Any

from checks import ROLES, body_object, limit_of, refuse, text_content
from clock import clock, iso
from errors import ApiError, invalid, missing, problem
from store import Thread, shown, store
from switches import fault, legal
from web import Reply, Request


def create_thread(request: Request) -> Reply:
    thread = store.create_thread(request.tenant["id"], False)
    body = {"id": thread.id, "created_at": thread.created_at}
    if "thread_id_named" in legal:
        body = {"id": thread.id, "thread_id": thread.id, "created_at": thread.created_at, "title": None}
    return Reply(body, 201 if "created_is_201" in legal else 200)


# -- adding a message ----------------------------------------------------------------------------


def create_message(request: Request) -> Reply:
    thread = open_thread(request)
    body = body_object(request)
    role = body.get("role")
    if role not in ROLES:
        if fault == "th_any_role_accepted" and isinstance(role, str):
            role = "user"
        elif fault == "th_role_defaults_to_user" and role is None:
            role = "user"
        else:
            refuse([missing(["body", "role"]) if "role" not in body
                    else problem(["body", "role"], "Input should be a known role", "enum")])
    content = text_content(body)
    check_content(thread, str(role), content)
    with nullcontext() if fault == "co_lost_update" else thread.lock:
        more = tool_fields(thread, str(role), body)
        message = store.append(thread, stored_role(str(role)), stored_content(content), **more)
    view = shown(message)
    if fault == "th_created_without_id":
        del view["id"]
    if fault == "th_created_thread_id_echo_upper":
        view["thread_id"] = view["id"]
    if fault == "th_created_says_user":
        view["role"] = "user"
    if fault == "th_created_at_differs_in_list":
        message["created_at"] = iso(clock.now())
    return Reply(view, 201 if "created_is_201" in legal else 200)


def open_thread(request: Request) -> Thread:
    try:
        thread = store.find_thread(request.tenant["id"], request.params["thread_id"], "create")
    except ApiError:
        if fault == "th_create_on_unknown_thread":
            return store.create_thread(request.tenant["id"], False)
        raise
    if thread.by_completion:
        if "completion_thread_hidden" in legal:
            raise ApiError("thread_not_found")
        raise ApiError("bad_request", status=409 if "completion_thread_is_409" in legal else None)
    return thread


def check_content(thread: Thread, role: str, content: str) -> None:
    if content:
        return
    if fault == "th_empty_accepted":
        return
    if fault == "th_empty_accepted_for_tool_and_assistant" and role in ("assistant", "tool"):
        return
    if fault == "th_empty_system_accepted" and role == "system":
        return
    if fault == "th_empty_code":
        raise ApiError("bad_request")
    if fault == "th_empty_refused_but_stored":
        store.append(thread, role, content)
    raise ApiError("message_content_empty")


def stored_role(role: str) -> str:
    if fault == "th_system_stored_as_user" and role == "system":
        return "user"
    return role


def stored_content(content: str) -> str:
    if fault == "th_content_trimmed":
        return content.strip()
    if fault == "th_content_cut_at_2000":
        return content[:2000]
    if fault == "th_content_html_escaped":
        return content.replace("&", "&amp;").replace("<", "&lt;")
    if fault == "th_content_ascii_only":
        return content.encode("ascii", "ignore").decode() or "?"
    if fault == "th_astral_lost":
        return "".join(letter if ord(letter) < 0x10000 else "\ufffd" for letter in content)
    return content


def tool_fields(thread: Thread, role: str, body: dict[str, Any]) -> dict[str, Any]:
    """The part of a message that belongs to tools, checked."""
    if role == "assistant" and isinstance(body.get("tool_calls"), list):
        return {"tool_calls": body["tool_calls"]}
    if role != "tool":
        return {}
    call_id = body.get("tool_call_id")
    if call_id is None and fault == "th_tool_without_id_accepted":
        return {}
    if call_id not in offered_calls(thread):
        if fault == "th_tool_any_id_accepted":
            return {"tool_call_id": call_id}
        if fault == "th_tool_accepted_once_any_call" and offered_calls(thread):
            return {"tool_call_id": call_id}
        if fault == "th_tool_code":
            raise ApiError("bad_request")
        if fault == "th_tool_refused_but_stored":
            store.append(thread, role, str(body["content"]), tool_call_id=call_id)
        raise ApiError("tool_message_has_no_matching_tool_call")
    return {"tool_call_id": call_id}


def offered_calls(thread: Thread) -> set[str]:
    """Ids of the tool calls that messages before this one asked for."""
    messages = thread.messages
    if fault == "th_tool_of_any_thread":
        messages = store.every_message()
    if fault == "th_tool_only_right_after_assistant":
        messages = messages[-1:]
    calls = [message.get("tool_calls") or [] for message in messages]
    if fault == "th_tool_only_first_call":
        calls = [entry[:1] for entry in calls]
    return {call["id"] for entry in calls for call in entry if isinstance(call, dict) and "id" in call}


# -- listing -------------------------------------------------------------------------------------


def list_messages(request: Request) -> Reply:
    try:
        thread = store.find_thread(request.tenant["id"], request.params["thread_id"], "list")
    except ApiError:
        if fault == "th_unknown_thread_empty_page":
            return Reply({"cursor": "", "items": []})
        raise
    limit = limit_of(request)
    with thread.lock:
        ordered = newest_first(list(thread.messages))
    rest = after_cursor(ordered, request)
    items, more = cut(rest, limit, len(ordered))
    page = {"cursor": next_cursor(items, more, ordered), "items": [listed(entry, request) for entry in items]}
    if fault == "pg_items_key":
        page["messages"] = page.pop("items")
    if fault == "pg_cursor_number" and page["cursor"]:
        page["cursor"] = items[-1]["seq"]
    if page["cursor"] == "" and "end_cursor_missing" in legal:
        del page["cursor"]
    if page.get("cursor") == "" and "end_cursor_null" in legal:
        page["cursor"] = None
    if "page_extras" in legal:
        page.update({"has_more": more, "total": len(ordered)})
    return Reply(page)


def order_key(message: dict[str, Any]) -> tuple[int, int]:
    sign = -1 if "ties_oldest_first" in legal else 1
    return (message["micros"], sign * message["seq"])


def newest_first(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if fault == "pg_oldest_first":
        return sorted(messages, key=order_key)
    if fault == "pg_ordered_by_id":
        return sorted(messages, key=lambda message: message["id"], reverse=True)
    if fault == "pg_ordered_by_second":
        return sorted(messages, key=lambda message: (-(message["micros"] // 1_000_000), message["seq"]))
    if fault == "pg_ordered_by_text_of_seq":
        return sorted(messages, key=lambda message: str(messages.index(message)), reverse=True)
    if fault == "pg_answers_before_questions":
        return sorted(messages, key=lambda message: (message["role"] == "assistant", order_key(message)), reverse=True)
    if fault == "pg_system_left_out":
        messages = [message for message in messages if message["role"] != "system"]
    if fault == "pg_tool_left_out":
        messages = [message for message in messages if message["role"] != "tool"]
    return sorted(messages, key=order_key, reverse=True)


def encode(values: list[Any]) -> str:
    text = json.dumps(values)
    if "cursor_needs_encoding" in legal:
        return "c+/=&" + base64.b64encode(text.encode()).decode()
    if "cursor_long" in legal:
        return base64.urlsafe_b64encode((text + " " * 900).encode()).decode()
    if "cursor_plain" in legal:
        return ".".join(str(value) for value in values)
    return base64.urlsafe_b64encode(text.encode()).decode()


def decode(cursor: str) -> list[Any]:
    try:
        if "cursor_plain" in legal:
            return [int(part) for part in cursor.split(".")]
        if "cursor_needs_encoding" in legal:
            return json.loads(base64.b64decode(cursor[5:], validate=True))
        return json.loads(base64.urlsafe_b64decode(cursor))
    except (ValueError, TypeError) as reason:
        raise invalid([problem(["query", "cursor"], "Unknown cursor", "value_error")]) from reason


def after_cursor(ordered: list[dict[str, Any]], request: Request) -> list[dict[str, Any]]:
    cursor = request.query.get("cursor")
    if not cursor or cursor == "null" or fault == "pg_cursor_ignored":
        return ordered
    values = decode(cursor)
    if fault == "pg_cursor_is_offset":
        return ordered[values[0]:]
    at = tuple(values[:2])
    if fault == "pg_cursor_repeats_one":
        return [message for message in ordered if order_key(message) <= at]
    if fault == "pg_cursor_skips_one":
        return [message for message in ordered if order_key(message) < at][1:]
    if fault == "pg_cursor_by_millisecond":
        return [message for message in ordered if order_key(message)[0] // 1000 < at[0] // 1000]
    if fault in ("pg_oldest_first", "pg_ordered_by_id", "pg_ordered_by_second", "pg_ordered_by_text_of_seq",
                 "pg_answers_before_questions"):
        keys = [order_key(message) for message in ordered]
        return ordered[keys.index(at) + 1:] if at in keys else []
    return [message for message in ordered if order_key(message) < at]


def cut(rest: list[dict[str, Any]], limit: int, total: int) -> tuple[list[dict[str, Any]], bool]:
    """One page of the rest, and whether something follows."""
    if fault == "pg_limit_ignored":
        return rest, False
    if fault == "pg_limit_plus_one":
        return rest[:limit + 1], len(rest) > limit + 1
    if fault == "pg_limit_one_gives_two" and limit == 1:
        limit = 2
    if fault == "pg_oldest_lost_when_even" and len(rest) == limit and total > limit:
        return rest[:-1], False
    if fault == "pg_last_page_lost" and total > len(rest) and 0 < len(rest) < limit:
        return [], False
    if fault == "pg_ends_after_three_pages" and total - len(rest) >= 2 * limit:
        return rest[:limit], False
    if fault == "pg_big_limit_cut_silently" and limit > 50:
        return rest[:50], False
    return rest[:limit], len(rest) > limit


def next_cursor(items: list[dict[str, Any]], more: bool, ordered: list[dict[str, Any]]) -> str:
    if fault == "pg_starts_over_at_end" and not more and ordered and items and items[-1] is ordered[-1] \
            and len(items) < len(ordered):
        more, items = True, [{"micros": 2**60, "seq": 0}]
    if "cursor_always" in legal and not more:
        if not items:
            return encode([0, 0])
        more = True
    if not more:
        return ""
    if fault == "pg_cursor_is_offset":
        return encode([ordered.index(items[-1]) + 1, 0])
    return encode(list(order_key(items[-1])))


def listed(message: dict[str, Any], request: Request) -> dict[str, Any]:
    view = shown(message)
    if message["role"] == "assistant":
        if fault == "pg_answers_without_sources":
            del view["sources"]
        if fault == "pg_meta_null_after_first_page" and request.query.get("cursor"):
            view["meta_data"] = None
        if fault == "pg_sources_as_ids":
            view["sources"] = [f"source-{index}" for index, _ in enumerate(view["sources"])]
        if fault == "pg_role_bot":
            view["role"] = "bot"
    if fault == "pg_content_null_for_tool" and message["role"] == "tool":
        view["content"] = None
    if fault == "pg_thread_id_left_out":
        del view["thread_id"]
    if fault == "pg_created_at_local" and message["role"] == "system":
        view["created_at"] = view["created_at"].rstrip("Z")
    return view
