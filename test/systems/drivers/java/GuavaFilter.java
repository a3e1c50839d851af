import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.function.Function;

/** Filters of Guava, with keys for one of its funnels. */
final class GuavaFilter<T> implements Filter {
  private final BloomFilter<T> filter;
  private final Function<byte[], T> keyOf;

  private GuavaFilter(BloomFilter<T> filter, Function<byte[], T> keyOf) {
    this.filter = filter;
    this.keyOf = keyOf;
  }

  static Filter read(String keyType, InputStream input) throws Exception {
    return new Opening() {
      @Override
      <T> BloomFilter<T> filterOf(Funnel<? super T> funnel) throws IOException {
        return BloomFilter.readFrom(input, funnel);
      }
    }.of(keyType);
  }

  static Filter empty(String sort, String keyType, long items, double rate) throws Exception {
    return new Opening() {
      @Override
      <T> BloomFilter<T> filterOf(Funnel<? super T> funnel) throws Exception {
        return sort.equals("guava-mitz32") ? formerly(funnel, items, rate) : BloomFilter.create(funnel, items, rate);
      }
    }.of(keyType);
  }

  /** Uses the strategy of old releases, which new releases keep for old files. */
  @SuppressWarnings("unchecked")
  private static <T> BloomFilter<T> formerly(Funnel<? super T> funnel, long items, double rate) throws Exception {
    Class<?> strategy = Class.forName("com.google.common.hash.BloomFilter$Strategy");
    Class<?> strategies = Class.forName("com.google.common.hash.BloomFilterStrategies");
    Method create = BloomFilter.class.getDeclaredMethod("create", Funnel.class, long.class, double.class, strategy);
    create.setAccessible(true);
    return (BloomFilter<T>) create.invoke(null, funnel, items, rate, strategies.getEnumConstants()[0]);
  }

  /** Makes a filter, whatever its keys are. */
  private abstract static class Opening {
    abstract <T> BloomFilter<T> filterOf(Funnel<? super T> funnel) throws Exception;

    Filter of(String keyType) throws Exception {
      switch (keyType) {
        case "utf16":
          return new GuavaFilter<String>(filterOf(Funnels.unencodedCharsFunnel()), Filter::text);
        case "int32":
          return new GuavaFilter<Integer>(filterOf(Funnels.integerFunnel()), key -> Integer.valueOf(Filter.text(key)));
        case "int64":
          return new GuavaFilter<Long>(filterOf(Funnels.longFunnel()), key -> Long.valueOf(Filter.text(key)));
        default:
          return new GuavaFilter<byte[]>(filterOf(Funnels.byteArrayFunnel()), key -> key);
      }
    }
  }

  @Override
  public void add(byte[] key) {
    filter.put(keyOf.apply(key));
  }

  @Override
  public boolean has(byte[] key) {
    return filter.mightContain(keyOf.apply(key));
  }

  @Override
  @SuppressWarnings("unchecked")
  public void merge(Filter other) {
    filter.putAll(((GuavaFilter<T>) other).filter);
  }

  @Override
  public void write(OutputStream output) throws IOException {
    filter.writeTo(output);
  }
}
