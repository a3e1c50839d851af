// Positions that are remainders of 16-bit numbers, as in small slices of pybloom. The first 2^16 mod m bits are the
// remainders of one number more. So members and absent keys have these bits more often.

const NUMBERS = 2 ** 16;

/** Slices with this many bits or more use numbers of at least 32 bits. All their remainders are equally frequent. */
const LARGE = 2 ** 15;

/** A number of equally frequent bits, and the chance that a key has one particular bit of them. */
interface Frequency {
  readonly bits: number;
  readonly chance: number;
}

function frequencies(bits: number): Frequency[] {
  if (bits >= LARGE) return [{ bits, chance: 1 / bits }];
  const first = NUMBERS % bits;
  const least = Math.floor(NUMBERS / bits);
  const others = { bits: bits - first, chance: least / NUMBERS };
  return first === 0 ? [others] : [{ bits: first, chance: (least + 1) / NUMBERS }, others];
}

const isOne = (items: number, chance: number) => (items === 0 ? 0 : -Math.expm1(items * Math.log1p(-chance)));

/** The chance that a key finds a one in a slice of `bits` bits with n keys. */
export function sliceHitRate(items: number, bits: number): number {
  return frequencies(bits).reduce((sum, { bits: some, chance }) => sum + some * chance * isOne(items, chance), 0);
}

/** The same chance in a slice whose share of ones is `fill`. */
export function sliceHitRateFromFill(fill: number, bits: number): number {
  if (fill <= 0 || fill >= 1) return fill;
  const fillWith = (items: number) =>
    frequencies(bits).reduce((sum, { bits: some, chance }) => sum + (some / bits) * isOne(items, chance), 0);
  let [below, above] = [0, 1];
  while (fillWith(above) < fill) above *= 2;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (below + above) / 2;
    if (fillWith(middle) < fill) below = middle;
    else above = middle;
  }
  return sliceHitRate(below, bits);
}
