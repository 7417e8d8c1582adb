"""Who is calling: API keys, and the rate limit of tenants that have one."""

import threading
import time
from typing import Any

from errors import ApiError
from seed import ASSISTANTS, ORPHAN_KEY, TENANTS
from switches import fault, legal, options

_by_key = {key["api_key"]: tenant for tenant in TENANTS for key in tenant["api_keys"]}
_lock = threading.Lock()
_windows: dict[str, list[float]] = {}
_blocked: set[str] = set()


def tenant_of(key: str | None, request: Any, kind: str, connection: Any) -> dict[str, Any]:
    """The tenant that owns the key."""
    if fault == "auth_key_of_connection":
        if connection.remembered is None and key in _by_key:
            connection.remembered = _by_key[key]
        if connection.remembered is not None:
            return connection.remembered
    if key is None:
        if fault == "auth_missing_key_ok":
            return TENANTS[0]
        if fault == "auth_missing_key_ok_on_lists" and kind in ("assistants", "assistant"):
            return TENANTS[0]
        if fault == "auth_signed_url_open" and kind == "files":
            return TENANTS[0]
        if fault == "auth_events_stream_open" and kind == "events":
            return TENANTS[0]
        if fault == "auth_key_from_query" and request.query.get("api-key") in _by_key:
            return _by_key[request.query["api-key"]]
        raise ApiError("unauthorized")
    if key == ORPHAN_KEY:
        if fault == "te_closed_tenant_is_first":
            return TENANTS[0]
        raise ApiError("tenant_not_found" if kind == "tenant" else "unauthorized")
    if fault == "auth_unknown_key_ok" and key not in _by_key:
        return TENANTS[0]
    if fault == "auth_empty_key_ok" and key == "":
        return TENANTS[0]
    if fault == "auth_key_prefix_enough":
        matches = [tenant for value, tenant in _by_key.items() if key and value.startswith(key)]
        if matches:
            return matches[0]
    if fault == "auth_key_any_case":
        matches = [tenant for value, tenant in _by_key.items() if value.lower() == key.lower()]
        if matches:
            return matches[0]
    if fault == "auth_run_stream_trusts_thread" and kind == "run_stream":
        from store import store
        thread = store._threads.get(request.params["thread_id"].lower())
        if thread is not None:
            return next(tenant for tenant in TENANTS if tenant["id"] == thread.tenant_id)
    if fault == "auth_only_first_key_works" and key in _by_key and _by_key[key]["api_keys"][0]["api_key"] != key:
        raise ApiError("unauthorized")
    if fault == "auth_header_case_matters" and "Api-Key" in list(request.headers.keys()):
        raise ApiError("unauthorized")
    if key not in _by_key:
        raise ApiError("unauthorized")
    return _by_key[key]


def count(request: Any, kind: str) -> None:
    """Refuses the call when the tenant has used up its window."""
    tenant = request.tenant
    if not tenant["limited"]:
        if fault == "rl_blocks_everyone" and _blocked:
            raise ApiError("rate_limit_gateway")
        return
    if "limit_only_documented" in legal and kind in ("assistants", "assistant", "files", "events"):
        return
    with _lock:
        now = time.monotonic()
        recent = [moment for moment in _windows.get(tenant["id"], []) if now - moment < options.window]
        over = len(recent) >= options.rate
        if not over:
            recent.append(now)
        _windows[tenant["id"]] = recent
        if over:
            _blocked.add(tenant["id"])
        elif fault != "rl_never_lifted":
            _blocked.discard(tenant["id"])
        if fault == "rl_never_lifted" and tenant["id"] in _blocked:
            over = True
    if not over:
        return
    if fault == "rl_code_differs_on_tenant" and kind == "tenant":
        raise ApiError("bad_request", status=429)
    if fault == "rl_plain_text":
        raise RuntimeError("too many requests")
    if fault == "rl_list_says_not_found" and kind == "list":
        raise ApiError("thread_not_found")
    raise ApiError("rate_limit_gateway")


def assistants_of(tenant: dict[str, Any]) -> list[dict[str, Any]]:
    return [ASSISTANTS[ident] for ident in tenant["assistants"]]


def assistant_for(tenant: dict[str, Any], ident: str, purpose: str) -> dict[str, Any]:
    """The assistant, if this tenant may use it."""
    found = ASSISTANTS.get(ident.lower())
    if fault == "run_unknown_assistant_defaults" and found is None and purpose in ("run", "run_stream"):
        return ASSISTANTS[tenant["assistants"][0]]
    if fault == "cc_unknown_assistant_code" and found is None and purpose == "completion":
        raise ApiError("resource_not_found")
    if found is None:
        raise ApiError("assistant_not_available")
    if found["id"] not in tenant["assistants"]:
        if fault == "cc_foreign_assistant_served" and purpose == "completion":
            return found
        if fault == "st_foreign_assistant_served" and purpose == "stream":
            return found
        if fault == "st_events_foreign_assistant_served" and purpose == "events":
            return found
        if fault == "run_foreign_assistant_served" and purpose in ("run", "run_stream"):
            return found
        if fault == "run_stream_foreign_assistant_served" and purpose == "run_stream":
            return found
        if fault == "cc_foreign_assistant_code":
            raise ApiError("resource_not_found")
        raise ApiError("assistant_not_available")
    return found
