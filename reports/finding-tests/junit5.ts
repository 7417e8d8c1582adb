/** Findings as tests of JUnit 5: java.net.http and a reader of JSON of its own, since Java has none. */
import { javaJson } from './java-json.ts'
import type { LanguageSyntax } from './language-syntax.ts'
import { plus, quoted } from './source-text.ts'

const helpers = String.raw`
  private static final Object MISSING = new Object();
  private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private record Answer(int status, String text) {}

  private static Answer send(String method, String path, Object body, String... header) throws Exception {
    byte[] sent = body instanceof byte[] bytes ? bytes : body == null ? new byte[0] : body.toString().getBytes(StandardCharsets.UTF_8);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(path.startsWith("http") ? path : BASE_URL + path));
    request.method(method, body == null && method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(sent));
    for (int index = 0; index < header.length; index += 2) request.header(header[index], header[index + 1]);
    HttpResponse<InputStream> response = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    try (InputStream in = response.body()) {
      in.transferTo(received);
    } catch (IOException cut) {
      // What came before counts.
    }
    return new Answer(response.statusCode(), received.toString(StandardCharsets.UTF_8));
  }

  /** Sends a request again until its answer holds the values, for ten seconds at most. */
  private static Answer until(String pointer, List<Object> expected, Callable<Answer> call) throws Exception {
    Answer answer = call.call();
    for (int tries = 0; tries < 50 && !values(pointer, answer).equals(expected); tries++) {
      Thread.sleep(200);
      answer = call.call();
    }
    return answer;
  }

  private static String key(String name) {
    String value = System.getenv(name);
    if (value == null) throw new AssertionError("set " + name);
    return value;
  }

  private static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static List<Object> list(String text) {
    return new ArrayList<>((List<?>) parsed(text));
  }

  private static List<Object> joined(List<Object> texts) {
    return List.of(texts.stream().map(String::valueOf).collect(Collectors.joining()));
  }

  /** The JSON values at a pointer; * stands for each element, "line 2" and "line *" for lines of a stream. */
  private static List<Object> values(String pointer, Answer... answers) {
    Matcher line = Pattern.compile("^line (\\S+) ?(.*)$").matcher(pointer);
    boolean isLine = line.matches();
    String[] keys = (isLine ? line.group(2) : pointer).split("/");
    List<Object> found = new ArrayList<>();
    for (Answer answer : answers) {
      List<String> lines = isLine ? Arrays.asList(answer.text().replaceAll("\\r?\\n$", "").split("\n", -1)) : List.of(answer.text());
      if (isLine && !line.group(1).equals("*")) {
        int index = Integer.parseInt(line.group(1)) - 1;
        lines = List.of(index < lines.size() ? lines.get(index) : "");
      }
      for (String one : lines) select(parsed(one), keys, 1, found);
    }
    return found;
  }

  private static void select(Object value, String[] keys, int depth, List<Object> found) {
    if (depth >= keys.length) {
      found.add(value);
      return;
    }
    String name = keys[depth].replace("~1", "/").replace("~0", "~");
    if (value instanceof List<?> items && name.equals("*")) for (Object item : items) select(item, keys, depth + 1, found);
    else if (value instanceof Map<?, ?> fields && name.equals("*"))
      for (Object field : fields.values()) select(field, keys, depth + 1, found);
    else if (value instanceof Map<?, ?> fields && fields.containsKey(name)) select(fields.get(name), keys, depth + 1, found);
    else if (value instanceof List<?> items && name.matches("\\d{1,6}") && Integer.parseInt(name) < items.size())
      select(items.get(Integer.parseInt(name)), keys, depth + 1, found);
    // A list that is missing has no elements.
    else if (!List.of(keys).subList(depth, keys.length).contains("*")) found.add(MISSING);
  }

  /** A field of the object with an id. */
  private static List<Object> field(String name, List<Object> objects, List<Object> ids) {
    List<Object> found = new ArrayList<>();
    for (Object one : objects) {
      List<Object> id = new ArrayList<>();
      select(one, new String[] {"", "id"}, 1, id);
      if (ids.contains(id.get(0))) select(one, new String[] {"", name}, 1, found);
    }
    return found;
  }

  private static String text(String pointer, Answer answer) {
    if (values(pointer, answer).get(0) instanceof String value) return value;
    throw new AssertionError("no string at " + pointer + " of " + answer.text());
  }

  /** "accepted", or the error code, or the status. */
  private static List<Object> outcome(Answer... answers) {
    List<Object> found = new ArrayList<>();
    for (Answer answer : answers) {
      boolean accepted = answer.status() >= 200 && answer.status() < 300;
      Object code = values("/error_code", answer).get(0);
      found.add(code instanceof String ? code : accepted ? "accepted" : "status " + answer.status());
    }
    return found;
  }

  private static void equal(List<Object> found, List<Object> expected) {
    check(found.equals(expected), found + " is not " + expected);
  }

  private static void contains(List<Object> found, List<Object> expected) {
    check(found.containsAll(expected), found + " lacks one of " + expected);
  }

  private static void lacks(List<Object> found, List<Object> wrong) {
    check(Collections.disjoint(found, wrong), found + " holds one of " + wrong);
  }

  private static void distinct(List<Object> found) {
    check(new HashSet<>(found).size() == found.size(), found + " repeats itself");
  }

  private static void same(List<Object> found) {
    check(new HashSet<>(found).size() == 1, found + " is not one value");
  }

  private static void ascending(List<Object> found) {
    check(found.equals(found.stream().sorted(Comparator.comparing(String::valueOf)).toList()), found + " is out of order");
  }

  private static void descending(List<Object> found) {
    List<Object> turned = new ArrayList<>(found);
    Collections.reverse(turned);
    ascending(turned);
  }

  private static void atMost(List<Object> found, int count) {
    check(found.size() <= count, found.size() + " values, at most " + count + " expected");
  }

  private static void atLeast(List<Object> found, int count) {
    check(found.size() >= count, found.size() + " values, at least " + count + " expected");
  }

  private static void inOrder(List<Object> found, List<Object> expected) {
    equal(found.stream().filter(expected::contains).toList(), expected);
  }

  private static void is(List<Object> found, String kind) {
    check(!found.isEmpty(), "no values to look at");
    each(found, kind);
  }

  private static void each(List<Object> found, String kind) {
    for (Object value : found) check(isOf(kind, value), (value == MISSING ? "missing" : value) + " is no " + kind);
  }

  private static boolean isOf(String kind, Object value) {
    return switch (kind) {
      case "string" -> value instanceof String;
      case "text" -> value instanceof String text && !text.isEmpty();
      case "array" -> value instanceof List;
      case "list" -> value instanceof List<?> items && !items.isEmpty();
      case "strings" -> value instanceof List<?> items && items.stream().allMatch(String.class::isInstance);
      case "object" -> value instanceof Map;
      case "boolean" -> value instanceof Boolean;
      case "integer" -> value instanceof Double number && number == Math.rint(number);
      case "positive" -> value instanceof Double number && number > 0;
      case "uuid" -> value instanceof String text && text.matches("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
      case "timestamp" -> value instanceof String text && text.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
      case "unset" -> value == MISSING || value == null;
      default -> value != MISSING;
    };
  }

  private static void check(boolean holds, String message) {
    if (!holds) throw new AssertionError(message);
  }

  private static Object parsed(String text) {
    try {
      Json json = new Json(text);
      Object value = json.value();
      return json.isAtEnd() && text.indexOf('\ufffd') < 0 ? value : MISSING;
    } catch (RuntimeException notJson) {
      return MISSING;
    }
  }

`

const imports = [
  'java.io.ByteArrayOutputStream',
  'java.io.IOException',
  'java.io.InputStream',
  'java.net.URI',
  'java.net.URLEncoder',
  'java.net.http.HttpClient',
  'java.net.http.HttpRequest',
  'java.net.http.HttpRequest.BodyPublishers',
  'java.net.http.HttpResponse',
  'java.net.http.HttpResponse.BodyHandlers',
  'java.nio.charset.StandardCharsets',
  'java.util.*',
  'java.util.concurrent.Callable',
  'java.util.regex.MatchResult',
  'java.util.regex.Matcher',
  'java.util.regex.Pattern',
  'java.util.stream.Collectors',
  'org.junit.jupiter.api.DisplayName',
  'org.junit.jupiter.api.Test',
] as const

/** Characters; a constant takes at most 65,535 bytes, of which a character has up to three. */
const longestConstant = 20_000

export const junit5: LanguageSyntax = {
  nothing: 'null',
  longEscape: (code) =>
    [...String.fromCodePoint(code)]
      .flatMap((one) => [one.charCodeAt(0), one.charCodeAt(1)])
      .map((unit) => `\\u${unit.toString(16)}`)
      .join(''),
  // The compiler makes one constant of literals joined by `+`.
  concat: (words) => (words.join('').length < longestConstant ? plus(words) : `String.join("", ${words.join(', ')})`),
  comment: '//',
  answer: (variable, call) => `Answer ${variable} = ${call};`,
  until: (call, pointer, values) => `until(${pointer}, ${values}, () -> ${call})`,
  text: (variable, call) => `String ${variable} = ${call};`,
  statement: (call) => `${call};`,
  test: (name, lines) => [
    '  @Test',
    `  @DisplayName(${quoted(name, junit5)})`,
    `  void ${name.replace(/\W+/g, '_')}() throws Exception {`,
    ...lines.map((line) => `    ${line}`),
    '  }',
  ],
  file: ({ head, baseUrl, tests, name }) =>
    [
      ...head,
      ...imports.map((one) => `import ${one};`),
      '',
      `class ${name} {`,
      '  private static final String BASE_URL =',
      `      Optional.ofNullable(System.getenv("ACS_BASE_URL")).orElse(${baseUrl});`,
      ...tests,
      helpers,
      javaJson,
    ].join('\n'),
}
