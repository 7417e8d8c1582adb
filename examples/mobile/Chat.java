import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A chat as an Android app has it, with nothing but the JDK: `java examples/mobile/Chat.java BASE_URL API_KEY "A question"`.
 * It knows nothing of a mock. Fragments are printed as they arrive; a refusal ends it with its error_code. With `--stop-after N` it
 * leaves the stream behind N fragments, as an app does whose user goes back. An app reads JSON with the library that it has.
 */
final class Chat {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String baseUrl;
  private final String key;

  private Chat(String baseUrl, String key) {
    this.baseUrl = baseUrl;
    this.key = key;
  }

  public static void main(String[] args) throws Exception {
    Chat chat = new Chat(args[0], args[1]);
    int most = args.length > 4 && args[3].equals("--stop-after") ? Integer.parseInt(args[4]) : Integer.MAX_VALUE;
    try {
      chat.ask(chat.firstAssistant(), args[2], most);
    } catch (Refused refused) {
      System.out.println("refused: " + refused.getMessage());
      System.exit(1);
    }
    // The client's threads would keep the process for a while.
    System.exit(0);
  }

  /** The id of the first assistant that streams. */
  private String firstAssistant() throws Exception {
    String list = http.send(request("/v1/assistants").GET().build(), BodyHandlers.ofString()).body();
    for (String record : list.split("(?<=\\}),(?=\\{)"))
      if (record.contains("\"streaming\":true")) return field(record, "id");
    throw new Refused(field(list, "error_code"));
  }

  /** Prints each fragment on a line of its own. */
  private void ask(String assistant, String question, int most) throws Exception {
    String body = "{\"assistant_id\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
        .formatted(assistant, question.replace("\\", "\\\\").replace("\"", "\\\""));
    HttpRequest asking = request("/v1/chat/completions/stream").POST(BodyPublishers.ofString(body)).build();
    HttpResponse<Stream<String>> response = http.send(asking, BodyHandlers.ofLines());
    // Closing the lines closes the connection: the service sees that its caller has left.
    try (Stream<String> lines = response.body()) {
      if (response.statusCode() != 200) throw new Refused(field(String.join("", lines.toList()), "error_code"));
      Iterator<String> each = lines.iterator();
      for (int count = 0; count < most && each.hasNext(); count += 1)
        System.out.println("fragment: " + field(each.next(), "content"));
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(baseUrl + path)).headers("api-key", key, "content-type", "application/json");
  }

  private static String field(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
    return found.find() ? found.group(1).translateEscapes() : "";
  }

  private static final class Refused extends IOException {
    Refused(String code) {
      super(code);
    }
  }
}
