// The kernel allocates nothing. The binding lays out the regions above the static data and passes their addresses.

/** The first address that the binding may use. */
export function heapBase(): usize {
  return __heap_base;
}
