"""NDJSON streams of an answer: text fragments or content blocks."""

from collections.abc import Iterator
from typing import Any

from clock import clock, iso
from engine import Draft
from store import Thread, new_id, store
from switches import fault, legal
from web import Reply

_shared: dict[str, Any] = {}


def pieces(text: str) -> list[str]:
    """The answer in fragments that together are the answer."""
    size = 22
    if "tiny_chunks" in legal:
        size = 3
    if "large_chunks" in legal:
        size = 90
    if "one_chunk" in legal:
        size = max(1, len(text))
    if "word_chunks" in legal:
        words = text.split(" ")
        return [word + " " for word in words[:-1]] + words[-1:]
    if fault == "st_bytes_cut":
        data = text.encode("utf-8")
        return [data[at:at + size].decode("utf-8", "replace") for at in range(0, len(data), size)]
    parts = [text[at:at + size] for at in range(0, len(text), size)]
    if fault == "st_fragments_stripped":
        parts = [part.strip() for part in parts]
    if fault == "st_last_fragment_lost" and len(parts) > 1:
        parts = parts[:-1]
    if fault == "st_seventh_fragment_twice" and len(parts) > 7:
        parts.insert(7, parts[6])
    if fault == "st_fragments_swapped_late" and len(parts) > 9:
        parts[8], parts[9] = parts[9], parts[8]
    if fault == "st_fragments_cumulative":
        parts = ["".join(parts[: index + 1]) for index in range(len(parts))]
    if "empty_fragments" in legal:
        parts = ["", *parts, ""]
    return parts


def deltas(draft: Draft, variant: str) -> Iterator[dict[str, Any]]:
    """The deltas of an answer, sources with the last one."""
    parts = pieces(draft.content) if variant == "text" else blocks(draft)
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        sources = draft.sources if last else []
        if "sources_first" in legal:
            sources = draft.sources if index == 0 else []
        if "sources_always" in legal:
            sources = draft.sources
        if variant == "text":
            delta: dict[str, Any] = {"content": part, "role": "assistant", "sources": sources}
            if fault == "st_last_content_null" and last:
                delta["content"] = None
        else:
            delta = {"content_blocks": part, "role": "assistant", "sources": sources}
            if fault == "st_events_role_missing":
                del delta["role"]
        if fault == "st_role_only_first" and variant == "text" and index > 0:
            del delta["role"]
        if fault == "st_role_system_on_last" and last:
            delta["role"] = "system"
        if fault == "st_sources_only_last" and not last:
            del delta["sources"]
        if fault == "st_sources_null_between" and 0 < index < len(parts) - 1:
            delta["sources"] = None
        if fault == "st_sources_titles" and last:
            delta["sources"] = [entry["meta_data"]["document_title"] for entry in sources]
        if last and draft.tool_calls:
            delta["tool_calls"] = draft.tool_calls
        yield delta


def blocks(draft: Draft) -> list[Any]:
    """Two reasoning steps, then the text in blocks."""
    first = {"type": "reasoning", "reasoning": "Reading the question."}
    second = {"type": "reasoning", "reasoning": "Looking at the sources – § by §."}
    if fault == "st_events_reasoning_as_text":
        first = {"type": "reasoning", "text": "Reading the question."}
    if fault == "st_events_second_reasoning_list":
        second = {"type": "reasoning", "reasoning": ["Looking", "at", "the sources"]}
    if fault == "st_events_type_missing_late":
        second = {"reasoning": "Looking at the sources."}
    texts = [[{"type": "text", "text": part}] for part in pieces(draft.content)]
    if fault == "st_events_blocks_object":
        return [first, second, *[entry[0] for entry in texts]]
    if fault == "st_events_blocks_null_on_last":
        return [[first], [second], *texts[:-1], None]
    if fault == "st_events_block_as_string":
        texts = [[part[0]["text"]] for part in texts]
    if "reasoning_only" in legal:
        return [[first], [second], [{"type": "reasoning", "reasoning": draft.content}]]
    if "many_blocks_per_chunk" in legal:
        return [[first, second], [block for entry in texts for block in entry], []]
    return [[first], [second], *texts]


def chunks(thread: Thread, message_id: str, draft: Draft, variant: str, first_turn: bool) -> Iterator[dict[str, Any]]:
    started = clock.now()
    other_thread = new_id()
    for index, delta in enumerate(deltas(draft, variant)):
        if fault == "st_message_id_per_chunk":
            message_id = new_id()
        if fault == "st_message_id_changes_at_8" and index == 8:
            message_id = new_id()
        moment = iso(started if "one_time_per_stream" in legal else clock.now())
        chunk = {"created_at": moment, "message_id": message_id, "thread_id": thread.id, "delta": delta}
        if fault == "st_shared_state":
            _shared["thread_id"] = _shared.get("thread_id") if index else thread.id
            chunk["thread_id"] = _shared["thread_id"]
        if fault == "st_created_at_epoch":
            chunk["created_at"] = started // 1000
        if fault == "st_created_at_short_late" and index > 6:
            chunk["created_at"] = moment[:19] + "Z"
        if fault == "st_created_at_missing_on_last" and "sources" in delta and delta["sources"]:
            del chunk["created_at"]
        if fault == "st_thread_id_null_first" and index == 0:
            chunk["thread_id"] = None
        if fault == "st_thread_id_new_on_continue" and not first_turn:
            chunk["thread_id"] = other_thread
        if fault == "st_events_content_instead" and variant == "blocks":
            text = "".join(block.get("text", "") for block in delta.pop("content_blocks"))
            chunk["delta"] = {"content": text, **delta}
        if fault == "st_delta_flat":
            chunk = {**{key: value for key, value in chunk.items() if key != "delta"}, **delta}
        if fault == "st_id_instead_of_message_id":
            chunk["id"] = chunk.pop("message_id")
        if "chunk_extras" in legal:
            chunk.update({"index": index, "finish_reason": None})
        yield chunk


def reply(thread: Thread, draft: Draft, variant: str, first_turn: bool = False) -> Reply:
    """The stream. The answer is stored when it has been sent, or when the caller has left."""
    message_id = new_id()
    if fault == "st_second_stream_same_id":
        message_id = _shared.setdefault("message_id:" + thread.id, message_id)
    stored: list[bool] = []

    def keep() -> None:
        if stored:
            return
        stored.append(True)
        if fault == "st_answer_not_stored" and variant == "text":
            return
        if fault == "st_events_answer_not_stored" and variant == "blocks":
            return
        more: dict[str, Any] = {"meta_data": draft.meta_data, "sources": draft.sources}
        if draft.tool_calls:
            more["tool_calls"] = draft.tool_calls
        if fault == "st_stored_without_meta":
            more.pop("meta_data")
        stored_id = None if fault == "st_stored_under_other_id" else message_id
        store.append(thread, "assistant", draft.content, id=stored_id, **more)

    def lines() -> Iterator[dict[str, Any]]:
        if "store_before_stream" in legal:
            keep()
        if fault == "co_break_off_locks_thread":
            thread.stuck = True
        pending = None
        for chunk in chunks(thread, message_id, draft, variant, first_turn):
            if pending is not None:
                yield pending
            pending = chunk
        keep()
        if pending is not None:
            yield pending
        if fault == "co_break_off_locks_thread":
            thread.stuck = False

    def broken() -> None:
        if fault == "co_break_off_drops_thread":
            store.drop_thread(thread)
            return
        if fault == "co_break_off_rolls_back_user":
            thread.messages.pop()
            return
        if fault == "co_break_off_stores_fragment":
            draft.content = ""
        if "break_off_keeps_nothing" in legal:
            return
        keep()

    return Reply(lines=lines(), broken=broken)
