// A Bloom filter of Guava in Java's serialization: an object of BloomFilter.SerialForm, with k, an array of the
// words, the funnel and the strategy.

import { damaged } from '../../errors.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { memorySource } from '../../io/source.ts';
import type { KeyType } from '../key-types.ts';
import { createJavaStream, type JavaStream } from './objects.ts';
import { GUAVA_PACKAGE } from './signatures.ts';

const FIELDS = ['numHashFunctions', 'data', 'funnel', 'strategy'];

/** The code of an array. HEAD_LIMIT bounds the bytes before its words, and TAIL_LIMIT the bytes after them. */
const ARRAY = 0x75;
const HEAD_LIMIT = 2 ** 12;
const TAIL_LIMIT = 2 ** 20;

/** Key types by the names of funnels, also of old releases, and by the charsets of string funnels. */
const FUNNELS: Readonly<Record<string, KeyType>> = {
  ByteArrayFunnel: 'text',
  IntegerFunnel: 'int32',
  LongFunnel: 'int64',
  UnencodedCharsFunnel: 'utf16',
  StringFunnel: 'utf16',
};
const CHARSETS: Readonly<Record<string, KeyType>> = { 'UTF-8': 'text', 'UTF-16LE': 'utf16' };
const CHARSET_FUNNEL = `${GUAVA_PACKAGE}Funnels$StringCharsetFunnel$SerializedForm`;

/** The fields of such an object. */
export interface SerialForm {
  readonly strategy: string;
  readonly k: number;
  readonly words: number;
  /** Offset of the words. */
  readonly offset: number;
  /** The funnel that hashes the keys, and the key type if it is known. */
  readonly funnel: string;
  readonly keyType: KeyType | undefined;
}

/** Reads the object without its words. Throws a `format` error for other objects, and if its length is wrong. */
export async function readSerialForm(bytes: RandomAccess, name: string): Promise<SerialForm> {
  const head = createJavaStream(memorySource(name, bytes.read(0, HEAD_LIMIT)), name);
  const { k, words } = await readHead(head, name);
  const offset = head.position();
  const end = offset + 8 * words;
  if (words < 0 || end >= bytes.size)
    throw damaged(name, `it has ${bytes.size} bytes, too few for the ${words} words that it states`);
  if (bytes.size - end > TAIL_LIMIT)
    throw damaged(name, `it has ${bytes.size - end} bytes after its words, which are too many`);
  const tail = bytes.read(end, bytes.size - end);
  const strategy = strategyAtEnd(tail, name);
  return { strategy, k, words, offset, ...(await readFunnel(createJavaStream(memorySource(name, tail), name))) };
}

async function readHead(stream: JavaStream, name: string): Promise<{ k: number; words: number }> {
  await stream.begin();
  const type = await stream.object();
  if (type?.fields.join() !== FIELDS.join())
    throw damaged(name, 'its object does not have the fields of a Guava BloomFilter');
  const k = (await stream.take(4)).getInt32(0);
  if ((await stream.take(1)).getUint8(0) !== ARRAY) throw damaged(name, 'its object has no array of words');
  await stream.type();
  return { k, words: (await stream.take(4)).getInt32(0) };
}

/** The funnel at the start of a stream. */
async function readFunnel(stream: JavaStream): Promise<Pick<SerialForm, 'funnel' | 'keyType'>> {
  const { name } = (await stream.object()) ?? { name: 'a class' };
  if (name === CHARSET_FUNNEL) {
    const charset = await stream.text();
    return { funnel: `stringFunnel of ${charset}`, keyType: CHARSETS[charset] };
  }
  const funnel = /^com\.google\.common\.hash\.Funnels\$(\w+)$/.exec(name)?.[1];
  return { funnel: funnel ?? name, keyType: funnel === undefined ? undefined : FUNNELS[funnel] };
}

const STRATEGIES = ['MURMUR128_MITZ_32', 'MURMUR128_MITZ_64'];

/** The name of the strategy at the end of a stream. The funnel before it may be any object. */
function strategyAtEnd(tail: Uint8Array, name: string): string {
  const text = Buffer.from(tail).toString('latin1');
  const strategy = STRATEGIES.find((known) => text.endsWith(`t\0${String.fromCharCode(known.length)}${known}`));
  if (strategy === undefined) throw damaged(name, 'its end is not a strategy of Guava');
  return strategy;
}
