import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.io.util.DataOutputStreamPlus;
import org.apache.cassandra.io.util.WrappedDataOutputStreamPlus;
import org.apache.cassandra.utils.BloomFilter;
import org.apache.cassandra.utils.BloomFilterSerializer;
import org.apache.cassandra.utils.FilterFactory;
import org.apache.cassandra.utils.IFilter;

/** Filters of Cassandra 4, which also reads those of 3. */
final class CassandraFilter implements Filter {
  private final IFilter filter;

  private CassandraFilter(IFilter filter) {
    this.filter = filter;
  }

  static Filter read(String sort, InputStream input) throws IOException {
    boolean isOld = sort.equals("cassandra-3");
    return new CassandraFilter(BloomFilterSerializer.deserialize(new DataInputStream(input), isOld));
  }

  static Filter empty(long items, double rate) {
    return new CassandraFilter(FilterFactory.getFilter(items, rate));
  }

  private static DecoratedKey decorated(byte[] key) {
    return Murmur3Partitioner.instance.decorateKey(ByteBuffer.wrap(key));
  }

  @Override
  public void add(byte[] key) {
    filter.add(decorated(key));
  }

  @Override
  public boolean has(byte[] key) {
    return filter.isPresent(decorated(key));
  }

  @Override
  public void merge(Filter other) {
    throw new UnsupportedOperationException("Cassandra merges no filters");
  }

  @Override
  public void write(OutputStream output) throws IOException {
    DataOutputStreamPlus fields = new WrappedDataOutputStreamPlus(output);
    BloomFilterSerializer.serialize((BloomFilter) filter, fields);
    fields.flush();
  }
}
