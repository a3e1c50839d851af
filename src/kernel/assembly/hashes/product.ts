// 128-bit products, which WebAssembly does not have.

/** The high half of the 128-bit product. */
@inline
export function highProduct(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const bLow = b & 0xffffffff;
  const aHigh = a >> 32;
  const bHigh = b >> 32;
  const cross = aHigh * bLow + ((aLow * bLow) >> 32);
  const carry = aLow * bHigh + (cross & 0xffffffff);
  return aHigh * bHigh + (cross >> 32) + (carry >> 32);
}

/** The xor of the two halves of the 128-bit product. */
@inline
export function foldedProduct(a: u64, b: u64): u64 {
  return (a * b) ^ highProduct(a, b);
}
