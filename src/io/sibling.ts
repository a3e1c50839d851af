import { basename, dirname, join } from 'node:path';

/** Characters of a name that its siblings share. At 3 bytes per character, the name of a sibling fits in 255 bytes. */
const PREFIX = 60;

/**
 * The name of a hidden temporary file beside another file. Two files never share a sibling: a shortened name gets a
 * hash of the whole name, which makes it longer than any name that is not shortened.
 */
export function siblingOf(file: string, ending: string): string {
  const name = basename(file);
  const part = name.length > PREFIX ? `${name.slice(0, PREFIX)}~${hashOf(name)}` : name;
  return join(dirname(file), `.${part}.${ending}`);
}

/** FNV-1a with 64 bits, in hexadecimal (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(name: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(name)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
