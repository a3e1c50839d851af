// Positions that are remainders of numbers of 16 bits, as small slices of pybloom have them: the first of the bits, as many as
// 2^16 mod m, are those of one number more, so that members and absent keys have them more often.

const NUMBERS = 2 ** 16;

/** From so many bits on numbers have 32 bits or more, of which all remainders are as frequent. */
const LARGE = 2 ** 15;

/** Bits that are equally frequent, and how often a key has one of them. */
interface Frequency {
  readonly bits: number;
  readonly chance: number;
}

function frequencies(bits: number): Frequency[] {
  if (bits >= LARGE) return [{ bits, chance: 1 / bits }];
  const first = NUMBERS % bits;
  const least = Math.floor(NUMBERS / bits);
  return [
    { bits: first, chance: (least + 1) / NUMBERS },
    { bits: bits - first, chance: least / NUMBERS },
  ];
}

const isOne = (items: number, chance: number) => -Math.expm1(items * Math.log1p(-chance));

/** How often a key finds a one in a slice of so many bits with n keys. */
export function sliceHitRate(items: number, bits: number): number {
  return frequencies(bits).reduce((sum, { bits: some, chance }) => sum + some * chance * isOne(items, chance), 0);
}

/** The same of a slice of which this share are ones. */
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
