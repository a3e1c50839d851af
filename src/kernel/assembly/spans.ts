// Where keys are: a span is a u64 with the address of the first byte in its low half and the length in its high half.

/** The address of a span. */
@inline
export function spanAt(spans: usize, index: u32): usize {
  return spans + ((index as usize) << 3);
}

@inline
export function storeSpan(spans: usize, index: u32, start: usize, end: usize): void {
  store<u64>(spanAt(spans, index), (start as u64) | (((end - start) as u64) << 32));
}

/** The span of a skipped key. */
export const NO_KEY: u64 = 0;

@inline
export function storeNoKey(spans: usize, index: u32): void {
  store<u64>(spanAt(spans, index), NO_KEY);
}

@inline
export function loadSpan(spans: usize, index: u32): u64 {
  return load<u64>(spanAt(spans, index));
}

@inline
export function startOf(span: u64): usize {
  return span as u32 as usize;
}

@inline
export function lengthOf(span: u64): usize {
  return (span >> 32) as usize;
}
