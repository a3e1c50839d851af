import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Queries filters of Java libraries. ../../asking.ts describes the requests and the answers. */
public final class Systems {
  private static Filter read(String sort, String file, String keyType) throws Exception {
    try (InputStream input = new BufferedInputStream(Files.newInputStream(Path.of(file)))) {
      switch (sort.split("-")[0]) {
        case "guava":
          return GuavaFilter.read(keyType, input);
        case "spark":
          return SparkFilter.read(keyType, input);
        case "datasketches":
          return DataSketchesFilter.read(keyType, input);
        case "cassandra":
          return CassandraFilter.read(sort, input);
        case "hadoop":
          return HadoopFilter.read(input);
        case "hudi":
          return HadoopFilter.read(Base64.getDecoder().wrap(input));
        default:
          throw new IllegalArgumentException(sort + " is not known");
      }
    }
  }

  private static Filter empty(String sort, String keyType, long items, double rate) throws Exception {
    switch (sort.split("-")[0]) {
      case "guava":
        return GuavaFilter.empty(sort, keyType, items, rate);
      case "spark":
        return SparkFilter.empty(keyType, items, rate);
      case "datasketches":
        return DataSketchesFilter.empty(keyType, items, rate);
      case "cassandra":
        return CassandraFilter.empty(items, rate);
      default:
        throw new IllegalArgumentException(sort + " is not known");
    }
  }

  private static void write(Filter filter, String file) throws IOException {
    try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(Path.of(file)))) {
      filter.write(output);
    }
  }

  /** The keys of a file, each of which ends with NUL. */
  private static List<byte[]> keysIn(String file) throws IOException {
    byte[] all = Files.readAllBytes(Path.of(file));
    List<byte[]> keys = new ArrayList<>();
    int start = 0;
    for (int at = 0; at < all.length; at++) {
      if (all[at] != 0) continue;
      keys.add(Arrays.copyOfRange(all, start, at));
      start = at + 1;
    }
    return keys;
  }

  private static String answer(String[] words) throws Exception {
    String sort = words[1];
    String file = words[2];
    switch (words[0]) {
      case "has": {
        Filter filter = read(sort, file, words[3]);
        StringBuilder answers = new StringBuilder();
        for (byte[] key : keysIn(words[4])) answers.append(filter.has(key) ? '1' : '0');
        return answers.toString();
      }
      case "make": {
        Filter filter = empty(sort, words[3], Long.parseLong(words[5]), Double.parseDouble(words[6]));
        for (byte[] key : keysIn(words[4])) filter.add(key);
        write(filter, file);
        return "made";
      }
      case "merge": {
        Filter filter = read(sort, words[3], "text");
        filter.merge(read(sort, words[4], "text"));
        write(filter, file);
        return "merged";
      }
      default:
        throw new IllegalArgumentException(words[0] + " is not known");
    }
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String request; (request = requests.readLine()) != null; ) {
      try {
        System.out.println(answer(request.split("\t")));
      } catch (Exception error) {
        System.out.println("error: " + error);
      }
    }
  }
}
