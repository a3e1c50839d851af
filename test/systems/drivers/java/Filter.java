import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A filter of any library. */
interface Filter {
  void add(byte[] key);

  boolean has(byte[] key);

  /** Adds the keys of another filter of the same library. */
  void merge(Filter other) throws Exception;

  void write(OutputStream output) throws IOException;

  static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
