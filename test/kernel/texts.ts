import fc from 'fast-check';

/** The surrogates, halves of a character in UTF-16. UTF-8 has none. */
const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character of Unicode. The unit 'binary' of fast-check first lists all characters, which takes a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((number) => String.fromCodePoint(number < SURROGATES.from ? number : number + SURROGATES.count));
