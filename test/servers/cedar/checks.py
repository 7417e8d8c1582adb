"""Checks of request bodies and queries. They collect every problem before they refuse."""

import re
from typing import Any

from errors import ApiError, invalid, missing, problem
from switches import fault, legal

ROLES = ("user", "system", "tool", "assistant")


UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def is_uuid(value: Any) -> bool:
    """Not `uuid.UUID(value)`: that takes a blank for a digit."""
    return isinstance(value, str) and UUID.fullmatch(value) is not None


def body_object(request: Any) -> dict[str, Any]:
    body = request.json()
    if not isinstance(body, dict):
        raise invalid([problem(["body"], "Input should be an object", "object_type")])
    return body


def check_uuid(body: dict[str, Any], name: str, required: bool) -> list[dict[str, Any]]:
    value = body.get(name)
    if name not in body or (value is None and not required):
        return [missing(["body", name])] if required else []
    if not isinstance(value, str):
        if fault == "cc_wrong_type_crashes":
            raise RuntimeError("assistant_id")
        return [problem(["body", name], "Input should be a string", "string_type")]
    if not is_uuid(value):
        return [problem(["body", name], "Input should be a UUID", "uuid_parsing")]
    return []


def check_messages(body: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    if "messages" not in body:
        if fault == "cc_no_messages_accepted":
            body["messages"] = [{"role": "user", "content": "Hello"}]
            return []
        return [missing(["body", "messages"])]
    messages = body["messages"]
    if not isinstance(messages, list):
        return [problem(["body", "messages"], "Input should be a list", "list_type")]
    found = []
    for index, message in enumerate(messages):
        found += check_message(message, index)
    if found:
        return found
    return check_has_user(messages, kind)


def check_message(message: Any, index: int) -> list[dict[str, Any]]:
    loc = ["body", "messages", index]
    if not isinstance(message, dict):
        return [problem(loc, "Input should be an object", "object_type")]
    if fault == "cc_later_messages_unchecked" and index > 0:
        message.setdefault("content", "(none)")
        message.setdefault("role", "user")
        return []
    found = [missing([*loc, name]) for name in ("content", "role") if name not in message]
    if "content" in message and not isinstance(message["content"], str):
        found.append(problem([*loc, "content"], "Input should be a string", "string_type"))
    elif message.get("content") == "":
        if fault == "cc_empty_content_accepted":
            return []
        if fault == "cc_later_empty_content_accepted" and index > 0:
            return []
        found.append(problem([*loc, "content"], "String should have at least 1 character", "string_too_short"))
    if "role" in message and message["role"] not in ROLES:
        if fault == "cc_any_role_accepted" and isinstance(message["role"], str):
            return found
        found.append(problem([*loc, "role"], "Input should be a known role", "enum"))
    return found


def check_has_user(messages: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    roles = [message["role"] for message in messages]
    if fault == "cc_empty_messages_accepted" and not messages:
        messages.append({"role": "user", "content": "Hello"})
        return []
    if fault == "cc_only_system_accepted" and "system" in roles:
        roles.append("user")
    if fault == "cc_only_assistant_accepted" and "assistant" in roles:
        roles.append("user")
    if fault == "st_no_user_accepted" and kind in ("stream", "events") and messages:
        return []
    if fault == "cc_user_must_come_first" and roles and roles[0] != "user":
        roles = []
    if fault == "cc_user_must_come_last" and roles and roles[-1] != "user":
        roles = []
    if "user" in roles:
        return []
    return [problem(["body", "messages"], "At least one user message is needed", "value_error")]


def check_required_fields(body: dict[str, Any], assistant: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """What the assistant demands of the request, by its own record."""
    wanted = assistant["request_required_fields"]
    if fault == "cc_licence_demanded_by_all":
        wanted = {"__root__": ["user_data"], "user_data": ["licence"]}
    if fault == "cc_required_fields_ignored":
        return []
    if fault == "run_required_fields_ignored" and kind in ("run", "run_stream"):
        return []
    if fault == "st_required_fields_ignored" and kind in ("stream", "events"):
        return []
    found = [missing(["body", name]) for name in wanted.get("__root__", []) if body.get(name) is None]
    if found:
        return found
    for path, names in wanted.items():
        if path == "__root__":
            continue
        if fault == "cc_nested_required_ignored":
            continue
        inner = body.get(path)
        if not isinstance(inner, dict):
            return [problem(["body", path], "Input should be an object", "object_type")]
        if fault == "cc_nested_required_null_ok":
            found += [missing(["body", path, name]) for name in names if name not in inner and inner]
        else:
            found += [missing(["body", path, name]) for name in names if inner.get(name) is None]
    return found


def refuse(problems: list[dict[str, Any]]) -> None:
    if problems:
        raise invalid(problems)


def limit_of(request: Any) -> int:
    text = request.query.get("limit")
    if text is None or text == "":
        if fault == "pg_default_is_20":
            return 20
        if fault == "pg_default_is_99":
            return 99
        return 100
    if not text.lstrip("-").isdigit():
        raise invalid([problem(["query", "limit"], "Input should be an integer", "int_parsing")])
    limit = int(text)
    if limit < 1:
        if "zero_limit_is_default" in legal:
            return 100
        raise invalid([problem(["query", "limit"], "Input should be greater than 0", "greater_than")])
    if limit > 100 and "limit_capped" in legal:
        return 100
    if limit > 100 and "limit_over_100_refused" in legal:
        raise invalid([problem(["query", "limit"], "Input should be at most 100", "less_than_equal")])
    return limit


def text_content(body: dict[str, Any]) -> str:
    content = body.get("content")
    if not isinstance(content, str):
        refuse([missing(["body", "content"]) if "content" not in body
                else problem(["body", "content"], "Input should be a string", "string_type")])
    if "blank_content_refused" in legal and not str(content).strip():
        raise ApiError("message_content_empty")
    return str(content)
