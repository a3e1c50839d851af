import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.Key;

/** Filters of Hadoop's util.bloom, which leaves their sizes to the caller. */
final class HadoopFilter implements Filter {
  private final BloomFilter filter;

  private HadoopFilter(BloomFilter filter) {
    this.filter = filter;
  }

  static Filter read(InputStream input) throws IOException {
    BloomFilter filter = new BloomFilter();
    filter.readFields(new DataInputStream(input));
    return new HadoopFilter(filter);
  }

  @Override
  public void add(byte[] key) {
    filter.add(new Key(key));
  }

  @Override
  public boolean has(byte[] key) {
    return filter.membershipTest(new Key(key));
  }

  @Override
  public void merge(Filter other) {
    filter.or(((HadoopFilter) other).filter);
  }

  @Override
  public void write(OutputStream output) throws IOException {
    filter.write(new DataOutputStream(output));
  }
}
