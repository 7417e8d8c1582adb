"""The model behind the assistants: a deterministic stand-in for an upstream API."""

import json
from dataclasses import dataclass, field
from typing import Any

from errors import ApiError
from seed import BATCH, COUNSEL, DESK, LEGAL_TYPE, RESEARCH, TOOLS
from store import new_id
from switches import fault, legal


@dataclass
class Draft:
    """What the model answered."""

    content: str
    meta_data: dict[str, Any]
    sources: list[dict[str, Any]] = field(default_factory=list)
    tool_calls: list[dict[str, Any]] = field(default_factory=list)


def source(number: int, question: str) -> dict[str, Any]:
    meta: dict[str, Any] = {"document_title": f"Commentary, volume {number}", "section": f"§ {number * 7}"}
    if fault == "src_section_number":
        meta["section"] = number * 7
    if fault == "src_second_title_renamed" and number == 2:
        meta = {"title": meta["document_title"], "section": meta["section"]}
    if fault == "src_content_missing":
        return {"text": f"Excerpt {number}", "meta_data": meta}
    if fault == "src_meta_flat_on_long_question" and len(question) > 200:
        return {"content": f"Excerpt {number}", **meta}
    if "source_extras" in legal:
        meta.update({"page": 4, "url": None})
        return {"content": f"Excerpt {number} on the matter", "meta_data": meta, "score": 0.5}
    return {"content": f"Excerpt {number} on the matter", "meta_data": meta}


def sources_for(assistant_id: str, question: str) -> list[dict[str, Any]]:
    if "no_sources" in legal or assistant_id == DESK:
        return []
    count = 12 if "many_sources" in legal else 1 if assistant_id == BATCH else 3
    return [source(number, question) for number in range(1, count + 1)]


def meta_for(assistant_id: str, question: str, turn: int) -> dict[str, Any]:
    if assistant_id in (COUNSEL, RESEARCH):
        advice: Any = "advice" in question.lower()
        kind = LEGAL_TYPE
        if fault == "meta_legal_advice_string":
            advice = str(advice).lower()
        if fault == "meta_legal_advice_null_when_unsure" and "?" not in question:
            advice = None
        if fault == "meta_type_wrong_on_second_turn" and turn > 1:
            kind = COUNSEL
        meta = {"type": kind, "legal_advice": advice, "intent": "question"}
        if fault == "meta_intent_missing":
            del meta["intent"]
        if fault == "meta_research_uses_batch" and assistant_id == RESEARCH:
            return {"topic": "general", "confidence": 0.5, "tags": []}
        if "meta_without_type" in legal:
            del meta["type"]
        return meta
    if assistant_id == BATCH:
        confidence: Any = 0.75
        if fault == "meta_confidence_percent":
            confidence = 75
        if fault == "meta_tags_joined":
            return {"topic": "general", "confidence": confidence, "tags": "law,batch"}
        if "optional_meta_left_out" in legal:
            return {"topic": "general", "confidence": confidence}
        return {"topic": "general", "confidence": confidence, "tags": ["law", "batch"]}
    if assistant_id == TOOLS:
        if fault == "meta_steps_string":
            return {"steps": str(turn)}
        return {"steps": turn}
    return {"language": "en"}


def text_for(question: str, turn: int) -> str:
    if fault == "msg_answer_empty_for_long_question" and len(question) > 400:
        return ""
    text = (
        f"Regarding “{question[:60]}” (turn {turn}):\nfirst, § 12 of the naïve reading applies; "
        "second, the deadline is one month – unless it was extended; third, \"in writing\" means on paper.\n"
        "Ask again if anything is left open ✔."
    )
    if "plain_answers" in legal:
        return "Yes, that is so."
    if "long_answers" in legal:
        return text * 12
    return text


def tool_calls_for(question: str) -> list[dict[str, Any]]:
    names = ("lookup_case", "lookup_statute")
    return [
        {"id": new_id(), "type": "function",
         "function": {"name": name, "arguments": json.dumps({"query": question[:40]})}}
        for name in names
    ]


def think(assistant: dict[str, Any], history: list[dict[str, Any]], tools_wanted: bool, simulate: str) -> Draft:
    """Answers the conversation so far, or asks for tools."""
    users = [message["content"] for message in history if message["role"] == "user"]
    question, turn = users[-1] if users else "(nothing asked)", len(users)
    if "[simulate timeout]" in question or simulate == "api_timeout_error":
        if fault == "err_timeout_as_outage":
            raise ApiError("internal_service_error")
        raise ApiError("api_timeout_error")
    if "[simulate outage]" in question or simulate == "internal_service_error":
        raise ApiError("internal_service_error")
    meta = meta_for(assistant["id"], question, turn)
    if tools_wanted and assistant["id"] == TOOLS and history[-1]["role"] == "user":
        return Draft("I need to look this up first.", meta, [], tool_calls_for(question))
    return Draft(text_for(question, turn), meta, sources_for(assistant["id"], question))
