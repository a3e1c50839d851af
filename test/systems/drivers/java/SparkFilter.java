import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.spark.util.sketch.BloomFilter;

/** Filters of Spark's sketches, of longs or of bytes. Strings are hashed as bytes. */
final class SparkFilter implements Filter {
  private final BloomFilter filter;
  private final boolean isOfLongs;

  private SparkFilter(BloomFilter filter, String keyType) {
    this.filter = filter;
    this.isOfLongs = keyType.equals("int64");
  }

  static Filter read(String keyType, InputStream input) throws IOException {
    return new SparkFilter(BloomFilter.readFrom(input), keyType);
  }

  static Filter empty(String keyType, long items, double rate) {
    return new SparkFilter(BloomFilter.create(items, rate), keyType);
  }

  @Override
  public void add(byte[] key) {
    if (isOfLongs) filter.putLong(Long.parseLong(Filter.text(key)));
    else filter.putBinary(key);
  }

  @Override
  public boolean has(byte[] key) {
    return isOfLongs ? filter.mightContainLong(Long.parseLong(Filter.text(key))) : filter.mightContainBinary(key);
  }

  @Override
  public void merge(Filter other) throws Exception {
    filter.mergeInPlace(((SparkFilter) other).filter);
  }

  @Override
  public void write(OutputStream output) throws IOException {
    filter.writeTo(output);
  }
}
