import { basename, dirname, join } from 'node:path';

/** Characters of a name that its siblings have: with up to 3 bytes each, a sibling's name fits in 255 bytes. */
const PREFIX = 60;

/**
 * The name of a hidden file beside another one, for a time. Two files never share a sibling: a name that is cut gets a hash of
 * all of it, and is then longer than any name that is not cut.
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
