"""Files: upload grants, the upload itself and its state."""

import re
import secrets
import threading
import time
from typing import Any
from urllib.parse import quote

from errors import ApiError, invalid, missing, problem
from store import new_id
from switches import fault, legal
from web import Reply, Request

ALLOWED = [
    "text/csv",
    "text/plain",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
]
MAX_SIZE = 10485760
USER_ID = re.compile(r"^[A-Za-z0-9._\-@:]+$")

_files: dict[str, dict[str, Any]] = {}
_lock = threading.Lock()


def user_id_of(request: Request) -> str:
    value = request.headers.get("user-id")
    if value is None:
        if fault == "fi_user_id_optional":
            return "anonymous"
        raise invalid([missing(["header", "user-id"])])
    fits = USER_ID.fullmatch(value) is not None
    if fault == "fi_user_id_any":
        fits = True
    if fault == "fi_user_id_start_only":
        fits = re.match(r"[A-Za-z0-9._\-@:]+", value) is not None
    if fault == "fi_user_id_word_chars":
        fits = re.fullmatch(r"[\w.\-@:]+", value) is not None
    if fault == "fi_user_id_no_colon":
        fits = re.fullmatch(r"[A-Za-z0-9._\-@]+", value) is not None
    if fault == "fi_user_id_no_leading_dot":
        fits = fits and value[0].isalnum()
    if fault == "fi_user_id_slash_ok":
        fits = re.fullmatch(r"[A-Za-z0-9.-_\-@:/]+", value) is not None
    longest = 255
    if fault == "fi_user_id_256":
        longest = 256
    if fault == "fi_user_id_254":
        longest = 254
    if fault == "fi_user_id_64":
        longest = 64
    if fault == "fi_user_id_unbounded":
        longest = 10_000
    if not fits or len(value) > longest:
        raise invalid([problem(["header", "user-id"], "String should match the pattern", "string_pattern_mismatch")])
    return value


def signed_url(request: Request) -> Reply:
    owner = user_id_of(request)
    filename = request.query.get("filename", "")
    if not filename and fault != "fi_filename_optional":
        raise invalid([missing(["query", "filename"])])
    persist = request.query.get("persist", "true").lower()
    if persist not in ("true", "false", "1", "0"):
        raise invalid([problem(["query", "persist"], "Input should be a boolean", "bool_parsing")])
    if fault == "fi_persist_false_refused" and persist in ("false", "0"):
        raise ApiError("bad_request")
    file_id = new_id()
    with _lock:
        if fault == "fi_same_id_for_same_name":
            same = [key for key, entry in _files.items() if entry["filename"] == filename]
            file_id = same[0] if same else file_id
        token = secrets.token_urlsafe(12)
        _files[file_id.lower()] = {"tenant": request.tenant["id"], "owner": owner, "filename": filename,
                                   "token": token, "state": "awaiting_upload", "ready": 0.0}
    return Reply(grant(request, file_id, filename, token, persist))


def grant(request: Request, file_id: str, filename: str, token: str, persist: str) -> dict[str, Any]:
    if fault == "fi_url_not_escaped":
        tail = filename
    else:
        tail = quote(filename, safe="")
    host = request.host.replace("127.0.0.1", "localhost") if "upload_on_localhost" in legal else request.host
    url = f"http://{host}/uploads/{file_id}/{tail}?signature={token}"
    if fault == "fi_url_relative":
        url = url.split(host, 1)[1]
    expires: Any = 900_000 if "expires_in_ms" in legal else 900
    limits: dict[str, Any] = {"allowed_types": list(ALLOWED), "max_size": MAX_SIZE}
    if fault == "fi_max_size_decimal":
        limits["max_size"] = 10_000_000
    if fault == "fi_max_size_string":
        limits["max_size"] = str(MAX_SIZE)
    if fault == "fi_max_size_differs_when_temporary" and persist in ("false", "0"):
        limits["max_size"] = MAX_SIZE // 2
    if fault == "fi_xlsx_left_out":
        limits["allowed_types"].pop()
    if fault == "fi_types_as_extensions":
        limits["allowed_types"] = ["csv", "txt", "pdf", "docx", "xlsx"]
    if fault == "fi_type_of_name_only":
        limits["allowed_types"] = ALLOWED[2:3] if filename.endswith(".pdf") else list(ALLOWED)
    if fault == "fi_expires_string":
        expires = "900"
    if fault == "fi_expires_fraction_when_temporary" and persist in ("false", "0"):
        expires = 899.5
    if "types_in_other_order" in legal:
        limits["allowed_types"].reverse()
    body = {"file_id": file_id, "file_url": url, "expires_in": expires, "file_limits": limits}
    if fault == "fi_expires_left_out":
        del body["expires_in"]
    if fault == "fi_limits_flat":
        del body["file_limits"]
        body.update(limits)
    if "grant_extras" in legal:
        body.update({"method": "PUT", "headers": {}})
    return body


def upload(request: Request) -> Reply:
    """Takes the file. The signature in the URL stands in for the key."""
    entry = _files.get(request.params["file_id"].lower())
    if entry is None or request.query.get("signature") != entry["token"]:
        return Reply({"error_code": "bad_request", "detail": "Bad request"}, 403)
    if fault == "fi_put_refused":
        return Reply({"error_code": "bad_request", "detail": "Bad request"}, 403)
    entry["state"] = "processing"
    entry["ready"] = time.monotonic() + 0.05
    return Reply(None, 201 if "upload_is_201" in legal else 204 if "upload_is_204" in legal else 200)


def status(request: Request) -> Reply:
    entry = _files.get(request.params["file_id"].lower())
    if entry is None:
        raise ApiError("resource_not_found")
    if entry["tenant"] != request.tenant["id"] and fault != "tn_foreign_file_status":
        raise ApiError("resource_not_found")
    if entry["state"] == "processing" and time.monotonic() >= entry["ready"] and fault != "fi_never_processed":
        entry["state"] = "processed"
    if fault == "fi_temporary_gone_at_once" and entry["state"] == "processed" and entry["filename"].endswith(".csv"):
        del _files[request.params["file_id"].lower()]
        raise ApiError("resource_not_found")
    return Reply({"file_id": request.params["file_id"], "status": entry["state"]})
