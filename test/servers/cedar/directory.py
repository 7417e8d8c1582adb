"""What a tenant may look up: its assistants and its keys."""

import copy
import json
from typing import Any

from access import assistants_of
from errors import ApiError
from seed import ASSISTANTS, TENANTS
from switches import fault, legal
from web import Reply, Request

_cache: dict[str, Any] = {}


def record(assistant: dict[str, Any], place: str) -> dict[str, Any]:
    view = copy.deepcopy(assistant)
    if fault == "as_streaming_string":
        view["streaming"] = "true" if view["streaming"] else "false"
    if fault == "as_streaming_left_out_when_false" and not view["streaming"]:
        del view["streaming"]
    if fault == "as_streaming_true_for_all":
        view["streaming"] = True
    if fault == "as_schema_string":
        view["meta_data_response_schema"] = json.dumps(view["meta_data_response_schema"])
    if fault == "as_schema_required_left_out" and "type" not in view["meta_data_response_schema"]["properties"]:
        view["meta_data_response_schema"].pop("required")
    if fault == "as_schema_null_when_empty" and not view["meta_data_response_schema"]["required"]:
        view["meta_data_response_schema"] = None
    if fault == "as_required_null_when_none" and not view["request_required_fields"]:
        view["request_required_fields"] = None
    if fault == "as_required_root_string" and view["request_required_fields"]:
        view["request_required_fields"]["__root__"] = "user_data"
    if fault == "as_required_left_out_in_list" and place == "list":
        del view["request_required_fields"]
    if fault == "as_name_differs_when_single" and place == "single":
        view["name"] = view["name"].lower()
    if fault == "as_streaming_differs_when_single" and place == "single":
        view["streaming"] = not view["streaming"]
    if "assistant_extras" in legal:
        view.update({"description": None, "created_at": "2024-01-01", "tags": ["a"]})
    return view


def list_assistants(request: Request) -> Reply:
    own = assistants_of(request.tenant)
    if fault == "as_all_tenants_listed":
        own = list(ASSISTANTS.values())
    if fault == "as_list_cached":
        own = _cache.setdefault("assistants", own)
    if fault == "as_last_left_out" and len(own) > 1:
        own = own[:-1]
    if fault == "as_not_streaming_left_out":
        own = [entry for entry in own if entry["streaming"]]
    if "assistants_by_name" in legal:
        own = sorted(own, key=lambda entry: str(entry["name"]))
    views = [record(entry, "list") for entry in own]
    if fault == "as_list_wrapped":
        return Reply({"items": views})
    return Reply(views)


def get_assistant(request: Request) -> Reply:
    found = ASSISTANTS.get(request.params["assistant_id"].lower())
    if fault == "as_unknown_gives_null" and found is None:
        return Reply({})
    if fault == "as_foreign_served" and found is not None:
        return Reply(record(found, "single"))
    if found is None or found["id"] not in request.tenant["assistants"]:
        if "assistant_lookup_resource" in legal:
            raise ApiError("resource_not_found")
        raise ApiError("assistant_not_available")
    if fault == "as_single_in_array":
        return Reply([record(found, "single")])
    return Reply(record(found, "single"))


def my_api_keys(request: Request) -> Reply:
    tenant = request.tenant
    if fault == "te_first_caller_cached":
        tenant = _cache.setdefault("tenant", tenant)
    keys: list[Any] = copy.deepcopy(tenant["api_keys"])
    if fault == "te_keys_of_all":
        keys = [copy.deepcopy(key) for entry in TENANTS for key in entry["api_keys"]]
    if fault == "te_only_calling_key":
        keys = [key for key in keys if key["api_key"] == request.headers.get("api-key")]
    if fault == "te_keys_as_strings":
        keys = [key["api_key"] for key in keys]
    if fault == "te_last_updated_left_out":
        for key in keys:
            del key["last_updated_at"]
    if fault == "te_second_key_updated_null" and len(keys) > 1:
        keys[1]["last_updated_at"] = None
    if fault == "te_key_dates_only":
        for key in keys:
            key["created_at"] = key["created_at"][:10]
    if fault == "te_key_ids_numbers":
        for index, key in enumerate(keys):
            key["id"] = index + 1
    if "keys_masked" in legal:
        for key in keys:
            key["api_key"] = key["api_key"][:4] + "********"
    view = {"id": tenant["id"], "name": tenant["name"], "api_keys": keys}
    if fault == "te_name_null_for_single_key" and len(keys) == 1:
        view["name"] = None
    if fault == "te_keys_null_for_limited" and tenant["limited"]:
        view["api_keys"] = None
    if fault == "te_id_left_out":
        del view["id"]
    if "tenant_extras" in legal:
        view.update({"plan": "team", "created_at": None})
    return Reply(view)
