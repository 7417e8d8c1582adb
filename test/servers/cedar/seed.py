"""The tenants, keys and assistants that cedar starts with."""

from typing import Any

from clock import clock, iso

COUNSEL = "0d8a3c52-6f1b-4a7e-9a50-1c2f6b1d0a01"
RESEARCH = "0d8a3c52-6f1b-4a7e-9a50-1c2f6b1d0a02"
BATCH = "0d8a3c52-6f1b-4a7e-9a50-1c2f6b1d0a03"
TOOLS = "0d8a3c52-6f1b-4a7e-9a50-1c2f6b1d0a04"
DESK = "0d8a3c52-6f1b-4a7e-9a50-1c2f6b1d0a05"

LEGAL_TYPE = "53aa66b7-b874-407f-967c-3a959c919d62"


def _schema(title: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"title": title, "type": "object", "properties": properties, "required": required}


LEGAL_SCHEMA = _schema(
    "LegalMetaData",
    {
        "type": {"type": "string", "const": LEGAL_TYPE, "default": LEGAL_TYPE, "title": "Type"},
        "legal_advice": {"type": "boolean", "title": "Legal Advice"},
        "intent": {"type": "string", "title": "Intent"},
    },
    ["legal_advice", "intent"],
)
BATCH_SCHEMA = _schema(
    "BatchMetaData",
    {
        "topic": {"type": "string"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    ["topic", "confidence"],
)
TOOLS_SCHEMA = _schema("ToolMetaData", {"steps": {"type": "integer"}}, ["steps"])
DESK_SCHEMA = _schema("DeskMetaData", {"language": {"type": "string"}}, [])


def _assistant(ident: str, name: str, streaming: bool, schema: dict[str, Any], required: dict[str, list[str]]):
    return {
        "id": ident,
        "name": name,
        "streaming": streaming,
        "meta_data_response_schema": schema,
        "request_required_fields": required,
    }


ASSISTANTS: dict[str, dict[str, Any]] = {
    entry["id"]: entry
    for entry in (
        _assistant(COUNSEL, "Legal Counsel", True, LEGAL_SCHEMA, {}),
        _assistant(RESEARCH, "Licensed Research", True, LEGAL_SCHEMA,
                   {"__root__": ["user_data"], "user_data": ["licence"]}),
        _assistant(BATCH, "Batch Analyst", False, BATCH_SCHEMA, {}),
        _assistant(TOOLS, "Case Tools", True, TOOLS_SCHEMA, {}),
        _assistant(DESK, "Birch Desk", True, DESK_SCHEMA, {}),
    )
}


def _key(ident: str, value: str) -> dict[str, str]:
    created = iso(clock.now())
    return {"id": ident, "api_key": value, "created_at": created, "last_updated_at": iso(clock.now())}


def _tenant(ident: str, name: str, keys: list[dict[str, str]], assistants: list[str], limited: bool = False):
    return {"id": ident, "name": name, "api_keys": keys, "assistants": assistants, "limited": limited}


ALDER = "5b1f0f3e-2f0c-4c39-8d86-70e7c5a4b001"
TENANTS: list[dict[str, Any]] = [
    _tenant(ALDER, "Alder & Partners", [
        _key("b3b9b1ce-6d0a-4b57-9a70-5f2a7c1e0001", "alder-3F9cQ7-primary"),
        _key("b3b9b1ce-6d0a-4b57-9a70-5f2a7c1e0002", "alder-8Kz2Lm-rotation"),
    ], [COUNSEL, RESEARCH, BATCH, TOOLS]),
    _tenant("5b1f0f3e-2f0c-4c39-8d86-70e7c5a4b002", "Birch Insurance", [
        _key("b3b9b1ce-6d0a-4b57-9a70-5f2a7c1e0003", "birch-5Tq0Rv-primary"),
    ], [DESK, COUNSEL]),
    _tenant("5b1f0f3e-2f0c-4c39-8d86-70e7c5a4b003", "Cypress Trial", [
        _key("b3b9b1ce-6d0a-4b57-9a70-5f2a7c1e0004", "cypress-2Wd8Xn-trial"),
    ], [COUNSEL], limited=True),
]
#: A key that outlived its tenant.
ORPHAN_KEY = "orphan-9Pb4Yc-closed"
