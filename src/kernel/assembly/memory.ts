// The kernel allocates nothing: the binding lays out the regions above the static data and passes addresses.

/** First address that the binding may use. */
export function heapBase(): usize {
  return __heap_base;
}
