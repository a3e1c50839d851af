import fc from 'fast-check';

/** Half of a character that UTF-16 writes in two; JSON and UTF-8 have none. */
const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character of Unicode. The unit 'binary' of fast-check lists all of them first, which takes a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((number) => String.fromCodePoint(number < SURROGATES.from ? number : number + SURROGATES.count));
