// The bytes of keys, as they are or with ASCII letters in lower case (`fold`): folding them in a register costs less
// than writing a folded copy of the key anywhere. Every load of every hash is one of these.

const EACH: u64 = 0x0101010101010101;

/** Sets bit 5 of every byte in 'A'..'Z'. A byte is upper case if adding carries it past 'A' - 1 but not past 'Z'. */
@inline
function lower(bytes: u64): u64 {
  const low7 = bytes & (EACH * 0x7f);
  const fromA = low7 + EACH * (0x80 - 0x41);
  const pastZ = low7 + EACH * (0x7f - 0x5a);
  const upper = (fromA ^ pastZ) & ~bytes & (EACH * 0x80);
  return bytes | (upper >> 2);
}

@inline
export function load1(at: usize, fold: bool): u64 {
  const byte = load<u8>(at) as u64;
  return fold ? lower(byte) : byte;
}

@inline
export function load4(at: usize, fold: bool): u64 {
  const bytes = load<u32>(at) as u64;
  return fold ? lower(bytes) : bytes;
}

@inline
export function load8(at: usize, fold: bool): u64 {
  const bytes = load<u64>(at);
  return fold ? lower(bytes) : bytes;
}

@inline
export function load16(at: usize, fold: bool): v128 {
  const bytes = v128.load(at);
  if (!fold) return bytes;
  const upper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
  return v128.or(bytes, v128.and(upper, i8x16.splat(0x20)));
}
