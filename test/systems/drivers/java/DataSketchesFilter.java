import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;

/** Filters of Apache DataSketches, of longs or of bytes. Strings are hashed as bytes. */
final class DataSketchesFilter implements Filter {
  /** The seed of new filters here; the library draws one. */
  private static final long SEED = 0;

  private final BloomFilter filter;
  private final boolean isOfLongs;

  private DataSketchesFilter(BloomFilter filter, String keyType) {
    this.filter = filter;
    this.isOfLongs = keyType.equals("int64");
  }

  static Filter read(String keyType, InputStream input) throws IOException {
    return new DataSketchesFilter(BloomFilter.heapify(Memory.wrap(input.readAllBytes())), keyType);
  }

  static Filter empty(String keyType, long items, double rate) {
    return new DataSketchesFilter(BloomFilterBuilder.createByAccuracy(items, rate, SEED), keyType);
  }

  @Override
  public void add(byte[] key) {
    if (isOfLongs) filter.queryAndUpdate(Long.parseLong(Filter.text(key)));
    else filter.queryAndUpdate(key);
  }

  @Override
  public boolean has(byte[] key) {
    return isOfLongs ? filter.query(Long.parseLong(Filter.text(key))) : filter.query(key);
  }

  @Override
  public void merge(Filter other) {
    filter.union(((DataSketchesFilter) other).filter);
  }

  @Override
  public void write(OutputStream output) throws IOException {
    output.write(filter.toByteArray());
  }
}
