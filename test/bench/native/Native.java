import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Filters of libraries of Java on the lines of a file: Native LIBRARY FILTER LINES
 *
 * <p>Reads the filter and prints how many of the lines it has. One thread, in addition to Java's own.
 */
public class Native {
  private static final int BUFFER = 1 << 20;

  private static Predicate<byte[]> tester(String library, InputStream file) throws IOException {
    if (library.equals("guava")) return BloomFilter.readFrom(file, Funnels.byteArrayFunnel())::mightContain;
    if (library.equals("spark")) return org.apache.spark.util.sketch.BloomFilter.readFrom(file)::mightContainBinary;
    throw new IllegalArgumentException(library + " is none of the libraries");
  }

  /** Counts the lines of a file, without their ends, that are in a filter. */
  private static long countIn(Predicate<byte[]> has, InputStream lines) throws IOException {
    byte[] bytes = new byte[BUFFER];
    long found = 0;
    int end = 0;
    for (int read; (read = lines.read(bytes, end, bytes.length - end)) > 0; ) {
      int start = 0;
      for (int at = end; at < end + read; at++) {
        if (bytes[at] != '\n') continue;
        if (has.test(Arrays.copyOfRange(bytes, start, at))) found++;
        start = at + 1;
      }
      end += read - start;
      System.arraycopy(bytes, start, bytes, 0, end);
    }
    return found;
  }

  public static void main(String[] arguments) throws IOException {
    try (InputStream file = new BufferedInputStream(Files.newInputStream(Path.of(arguments[1])), BUFFER);
        InputStream lines = Files.newInputStream(Path.of(arguments[2]))) {
      System.out.println(countIn(tester(arguments[0], file), lines));
    }
  }
}
