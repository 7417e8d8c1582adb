"""Errors of the service: one code, one status, one text each."""

from typing import Any

from switches import fault, legal

TEXTS = {
    "assistant_not_available": "Assistant not available to the tenant",
    "resource_not_found": "Resource not found",
    "thread_not_found": "Thread not found",
    "engine_does_not_support_streaming": (
        "The selected engine does not support streaming; use the non-streaming endpoint"
    ),
    "rate_limit_gateway": "Rate limit exceeded",
    "api_timeout_error": "An upstream model API request timed out",
    "internal_service_error": "An internal required service is unavailable; try again later",
    "tool_message_has_no_matching_tool_call": (
        "A tool message id is not found in a preceding assistant message's tool calls in the thread"
    ),
    "message_content_empty": "Message content cannot be empty",
    "bad_request": "Bad request",
    "tenant_not_found": "Tenant not found",
    "unauthorized": "A valid API key is required",
}

STATUSES = {
    "assistant_not_available": 404,
    "resource_not_found": 404,
    "thread_not_found": 404,
    "engine_does_not_support_streaming": 400,
    "rate_limit_gateway": 429,
    "api_timeout_error": 504,
    "internal_service_error": 503,
    "tool_message_has_no_matching_tool_call": 400,
    "message_content_empty": 400,
    "bad_request": 400,
    "tenant_not_found": 404,
    "validation_error": 422,
    "unauthorized": 401,
}

LEGAL_STATUSES = {
    "validation_is_400": ("validation_error", 400),
    "assistant_is_403": ("assistant_not_available", 403),
    "assistant_is_400": ("assistant_not_available", 400),
    "thread_is_410": ("thread_not_found", 410),
    "streaming_is_422": ("engine_does_not_support_streaming", 422),
    "streaming_is_501": ("engine_does_not_support_streaming", 501),
    "timeout_is_408": ("api_timeout_error", 408),
    "timeout_is_502": ("api_timeout_error", 502),
    "internal_is_500": ("internal_service_error", 500),
    "tool_is_409": ("tool_message_has_no_matching_tool_call", 409),
    "empty_is_422": ("message_content_empty", 422),
    "rate_is_503": ("rate_limit_gateway", 503),
    "rate_is_403": ("rate_limit_gateway", 403),
    "key_is_403": ("unauthorized", 403),
    "key_is_400": ("unauthorized", 400),
}

for _name, (_code, _status) in LEGAL_STATUSES.items():
    if _name in legal:
        STATUSES[_code] = _status


class ApiError(Exception):
    """A refusal that the caller gets to see."""

    def __init__(self, code: str, detail: Any = None, status: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.detail = TEXTS.get(code) if detail is None else detail
        self.status = STATUSES.get(code, 400) if status is None else status


def problem(loc: list[Any], message: str, kind: str) -> dict[str, Any]:
    if fault == "er_loc_joined":
        return {"loc": ".".join(str(part) for part in loc), "message": message, "type": kind}
    if fault == "er_msg_key":
        return {"loc": loc, "msg": message, "type": kind}
    if fault == "er_type_missing":
        return {"loc": loc, "message": message}
    if "problem_has_input" in legal:
        return {"loc": loc, "message": message, "type": kind, "input": None, "ctx": {}}
    return {"loc": loc, "message": message, "type": kind}


def missing(loc: list[Any]) -> dict[str, Any]:
    if fault == "cc_missing_loc_without_body" and loc[0] == "body" and len(loc) == 2:
        loc = loc[1:]
    if fault == "cc_missing_type_wrong":
        return problem(loc, "Field required", "string_type")
    kind = "value_error.missing" if "old_missing_type" in legal else "missing"
    return problem(loc, "Field required", kind)


def invalid(problems: list[dict[str, Any]]) -> ApiError:
    if "first_problem_only" in legal:
        problems = problems[:1]
    if fault == "er_validation_detail_string":
        return ApiError("validation_error", "; ".join(entry.get("message", "") for entry in problems))
    if fault == "er_validation_detail_single":
        return ApiError("validation_error", problems[0])
    return ApiError("validation_error", problems)


def error_body(error: ApiError, path: str) -> dict[str, Any]:
    code, detail = error.code, error.detail
    if fault == "er_no_code":
        return {"detail": detail}
    if fault == "er_code_key":
        return {"code": code, "detail": detail}
    if fault == "er_no_detail":
        return {"error_code": code}
    if fault == "er_detail_list" and code == "thread_not_found":
        detail = [{"loc": ["path", "thread_id"], "message": detail, "type": "not_found"}]
    if fault == "er_detail_text_differs" and code == "assistant_not_available":
        detail = "No such assistant"
    if fault == "er_timeout_detail_object" and code == "api_timeout_error":
        detail = {"message": detail, "upstream": "model-gateway"}
    if fault == "er_run_stream_wrapped" and path.endswith("/run/stream"):
        return {"error": {"error_code": code, "detail": detail}}
    if fault == "er_stream_validation_string" and path.endswith("/stream") and code == "validation_error":
        detail = "Invalid request body"
    if fault == "er_detail_null_on_resource" and code == "resource_not_found":
        detail = None
    if fault == "er_outage_trace" and code == "internal_service_error":
        detail = ["Traceback (most recent call last)", "ConnectionError: upstream"]
    if fault == "er_numeric_code" and code == "rate_limit_gateway":
        code = 429
    if "error_extras" in legal:
        return {"error_code": code, "detail": detail, "request_id": "7f0c", "documentation": None}
    return {"error_code": code, "detail": detail}
