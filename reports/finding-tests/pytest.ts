/** Findings as tests of pytest: http.client and nothing else, since urllib rewrites the names of headers. */
import type { LanguageSyntax } from './language-syntax.ts'
import { plus } from './source-text.ts'

const helpers = String.raw`

class Missing:
    """No value; says why. All of them are alike, as texts are that are equal."""

    def __init__(self, why):
        self.why = why

    def __eq__(self, other):
        return isinstance(other, Missing)

    def __hash__(self):
        return 0

    def __repr__(self):
        return self.why


def send(method, path, body, *header):
    url = urlsplit(path if path.startswith("http") else BASE_URL + path)
    kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
    connection = kind(url.netloc, timeout=120)
    sent = body.encode() if isinstance(body, str) else body
    connection.putrequest(method, url.path + ("?" + url.query if url.query else ""))
    for name, value in zip(header[::2], header[1::2]):
        connection.putheader(name, value)
    if sent is not None or method in ("POST", "PUT", "PATCH"):
        connection.putheader("content-length", str(len(sent or b"")))
    connection.endheaders(sent)
    response = connection.getresponse()
    try:
        received = response.read()
    except IncompleteRead as cut:
        received = cut.partial
    connection.close()
    return response.status, received.decode("utf-8", "replace")


def until(pointer, expected, call):
    """Sends a request again until its answer holds the values, for ten seconds at most."""
    answer = call()
    for _ in range(50):
        if values(pointer, answer) == expected:
            break
        time.sleep(0.2)
        answer = call()
    return answer


def key(name):
    assert name in os.environ, "set " + name
    return os.environ[name]


def bytes(text):
    return base64.b64decode(text)


def encoded(text):
    return quote(text, safe="")


def list(text):
    return json.loads(text)


def joined(texts):
    return ["".join(texts)]


def values(pointer, *answers):
    """The JSON values at a pointer; * stands for each element, "line 2" and "line *" for lines of a stream."""
    line, rest = None, pointer
    if pointer.startswith("line "):
        _, line, rest = (pointer + " ").split(" ", 2)
    keys = [name.replace("~1", "/").replace("~0", "~") for name in rest.strip().split("/")[1:]]
    found = []
    for _, text in answers:
        lines = [*enumerate(text.removesuffix("\n").removesuffix("\r").split("\n"), 1)]
        if line is None:
            lines = [(None, text)]
        elif line != "*":
            lines = lines[int(line) - 1 : int(line)] or [(line, "")]
        for number, one in lines:
            where = "the body" if number is None else f"line {number} of the stream"
            found += select(parsed(one, where), keys)
    return found


def select(value, keys):
    if not keys:
        return [value]
    name, *rest = keys
    if name == "*" and isinstance(value, (dict, LIST)):
        return [one for inner in (value.values() if isinstance(value, dict) else value) for one in select(inner, rest)]
    if isinstance(value, dict) and name in value:
        return select(value[name], rest)
    if isinstance(value, LIST) and name.isdigit() and int(name) < len(value):
        return select(value[int(name)], rest)
    # A list that is missing has no elements.
    return [] if "*" in keys else [value if isinstance(value, Missing) else Missing(f"missing value {name}")]


def parsed(text, where):
    def refuse(constant):
        raise ValueError(constant)

    broken = Missing(f"{where}, which is not JSON: {text if len(text) < 160 else text[:157] + '...'!r}")
    try:
        return broken if "\ufffd" in text else json.loads(text, parse_constant=refuse)
    except ValueError:
        return broken


def field(name, objects, ids):
    """A field of the object with an id."""
    return [value for one in objects if select(one, ["id"])[0] in ids for value in select(one, [name])]


def text(pointer, answer):
    value = values(pointer, answer)[0]
    assert isinstance(value, str), f"no string at {pointer} of {answer[1][:500]}"
    return value


def outcome(*answers):
    """"accepted", or the error code, or the status."""
    found = []
    for answer in answers:
        code = values("/error_code", answer)[0]
        status = "accepted" if 200 <= answer[0] < 300 else f"status {answer[0]}"
        found.append(code if isinstance(code, str) else status)
    return found


def equal(found, expected):
    assert found == expected


def contains(found, expected):
    for one in expected:
        assert one in found


def lacks(found, wrong):
    for one in wrong:
        assert one not in found


def distinct(found):
    assert len(found) == len(set(found)), found


def same(found):
    assert len(set(found)) == 1, found


def ascending(found):
    assert found == sorted(found)


def descending(found):
    assert found == sorted(found, reverse=True)


def atMost(found, count):
    assert len(found) <= count


def atLeast(found, count):
    assert len(found) >= count


def inOrder(found, expected):
    assert [one for one in found if one in expected] == expected


def matches(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.I) is not None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


KINDS = {
    "string": lambda value: isinstance(value, str),
    "text": lambda value: isinstance(value, str) and value != "",
    "array": lambda value: isinstance(value, LIST),
    "list": lambda value: isinstance(value, LIST) and len(value) > 0,
    "strings": lambda value: isinstance(value, LIST) and all(isinstance(one, str) for one in value),
    "object": lambda value: isinstance(value, dict),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: is_number(value) and value == int(value),
    "positive": lambda value: is_number(value) and value > 0,
    "uuid": matches("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    "timestamp": matches(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"),
    "unset": lambda value: isinstance(value, Missing) or value is None,
    "present": lambda value: not isinstance(value, Missing),
}


def check(found, kind):
    assert found, "no values to look at"
    each(found, kind)


def each(found, kind):
    for value in found:
        assert KINDS[kind](value), f"no {kind}: {value!r}"
`

export const pytest: LanguageSyntax = {
  nothing: 'None',
  longEscape: (code) => `\\U${code.toString(16).padStart(8, '0')}`,
  concat: plus,
  comment: '#',
  answer: (variable, call) => `${variable} = ${call}`,
  until: (call, pointer, values) => `until(${pointer}, ${values}, lambda: ${call})`,
  text: (variable, call) => `${variable} = ${call}`,
  statement: (call) => call.replace(/^is\(/, 'check('),
  test: (name, lines) => ['', `def test_${name.replace(/\W+/g, '_')}():`, ...lines.map((line) => `    ${line}`)],
  file: ({ head, baseUrl, tests }) =>
    [
      ...head,
      'import base64',
      'import json',
      'import os',
      'import re',
      'import time',
      'from http.client import HTTPConnection, HTTPSConnection, IncompleteRead',
      'from urllib.parse import quote, urlsplit',
      '',
      `BASE_URL = os.environ.get("ACS_BASE_URL", ${baseUrl})`,
      'LIST = type([])',
      ...tests,
      helpers,
    ].join('\n'),
}
