// Simple case folding (CaseFolding.txt, statuses C and S) by Node's Unicode tables. Regular expressions tell which
// characters differ only in case; strings tell which of them is the small letter.

/** A character of well-formed UTF-8 (Unicode, table 3-7), as bytes of latin1. */
const CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[A-Z]/g;

/** Characters whose upper case has several characters, and the characters that they fold to. */
const ODD: Readonly<Record<string, string>> = { '\u1fd3': '\u0390', '\u1fe3': '\u03b0', '\ufb05': '\ufb06' };

/** Returns whether two characters differ at most in case. */
export function areAlike(a: string, b: string): boolean {
  return new RegExp(`^\\u{${a.codePointAt(0)?.toString(16)}}$`, 'iu').test(b);
}

/** Returns the text if it has exactly one character. */
export function single(text: string): string | undefined {
  return [...text].length === 1 ? text : undefined;
}

/** The character to which a character folds. */
export function foldedCharacter(character: string): string {
  const upper = single(character.toUpperCase());
  // Unicode added the small letters of Cherokee later, so they fold to the capital ones.
  if (/\p{Script=Cherokee}/u.test(character)) return upper ?? character;
  const others = [ODD[character], upper?.toLowerCase(), character.toLowerCase()];
  const isLike = (other: string) => other === character || (single(other) !== undefined && areAlike(character, other));
  return others.find((other) => other !== undefined && isLike(other)) ?? character;
}

/** Folds the case of each character in the bytes. */
export function foldedBytes(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const folded = text.replace(CHARACTER, (character) =>
    Buffer.from(foldedCharacter(Buffer.from(character, 'latin1').toString())).toString('latin1'),
  );
  return new Uint8Array(Buffer.from(folded, 'latin1'));
}
