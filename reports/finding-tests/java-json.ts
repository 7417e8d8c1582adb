/** The source of a reader of JSON, which Java does not have. */
export const javaJson = String.raw`  /** Reads one JSON text. */
  private static final class Json {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\\\x00-\\x1f]|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+)\"");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(....)|(.))");
    private final String text;
    private int at;

    Json(String text) {
      this.text = text;
    }

    Object value() {
      skipBlanks();
      char first = text.charAt(at);
      if (first == '{') return fields();
      if (first == '[') return items();
      if (first == '"') return string();
      if (text.startsWith("true", at)) return word("true", true);
      if (text.startsWith("false", at)) return word("false", false);
      if (text.startsWith("null", at)) return word("null", null);
      return Double.valueOf(match(NUMBER).group());
    }

    boolean isAtEnd() {
      skipBlanks();
      return at == text.length();
    }

    private Map<String, Object> fields() {
      Map<String, Object> found = new LinkedHashMap<>();
      at += 1;
      while (!isNext('}')) {
        if (!found.isEmpty()) expect(',');
        skipBlanks();
        String name = string();
        expect(':');
        found.put(name, value());
      }
      return found;
    }

    private List<Object> items() {
      List<Object> found = new ArrayList<>();
      at += 1;
      while (!isNext(']')) {
        if (!found.isEmpty()) expect(',');
        found.add(value());
      }
      return found;
    }

    private String string() {
      String raw = match(STRING).group(1);
      return ESCAPE.matcher(raw).replaceAll(escape -> Matcher.quoteReplacement(unescaped(escape.group(1), escape.group(2))));
    }

    private static String unescaped(String code, String sign) {
      if (code != null) return String.valueOf((char) Integer.parseInt(code, 16));
      int index = "bfnrt".indexOf(sign);
      return index < 0 ? sign : "\b\f\n\r\t".substring(index, index + 1);
    }

    private MatchResult match(Pattern pattern) {
      Matcher matcher = pattern.matcher(text).region(at, text.length());
      if (!matcher.lookingAt()) throw new IllegalArgumentException("no JSON at " + at);
      at = matcher.end();
      return matcher.toMatchResult();
    }

    private Object word(String word, Object value) {
      at += word.length();
      return value;
    }

    private boolean isNext(char sign) {
      skipBlanks();
      if (text.charAt(at) != sign) return false;
      at += 1;
      return true;
    }

    private void expect(char sign) {
      if (!isNext(sign)) throw new IllegalArgumentException("no JSON at " + at);
    }

    private void skipBlanks() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
    }
  }
}
`
