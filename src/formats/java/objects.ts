// Streams of Java's object serialization (Java Object Serialization Specification, chapter 6), as far as filters need
// them: the descriptions of classes, and fields that are strings or constants of an enum.

import { damaged } from '../../errors.ts';
import type { ByteSource } from '../../io/source.ts';
import { readHead } from '../bit-array-file.ts';
import { BEGIN_BYTES, CODE } from './signatures.ts';

/** The description of a class. */
export interface JavaClass {
  readonly name: string;
  /** The names of the fields in their order. */
  readonly fields: readonly string[];
}

/**
 * Reads a stream in order. Every method throws a `format` error for unexpected content and at the end of the stream.
 */
export interface JavaStream {
  /** Bytes read so far. */
  position(): number;
  take(length: number): Promise<DataView>;
  /** Reads the start of the stream. */
  begin(): Promise<void>;
  /** Reads the description of a class; undefined if the stream refers to an earlier one, or has none there. */
  type(): Promise<JavaClass | undefined>;
  /** Reads the start of an object or of a constant of an enum, and its class. The fields of an object follow. */
  object(): Promise<JavaClass | undefined>;
  text(): Promise<string>;
}

/** The largest number of parent classes. Filters have at most one. */
const PARENTS_LIMIT = 8;

export function createJavaStream(source: ByteSource, name: string): JavaStream {
  let position = 0;
  const take = async (length: number) => {
    position += length;
    return readHead(source, name, length);
  };
  const byte = async () => (await take(1)).getUint8(0);
  const expect = async (...codes: readonly number[]) => {
    const code = await byte();
    if (codes.includes(code)) return code;
    throw damaged(name, `its Java object has unknown content before byte ${position}`);
  };
  const word = async () => {
    const { buffer } = await take((await take(2)).getUint16(0));
    return Buffer.from(buffer).toString('latin1');
  };
  const text = async () => {
    if ((await expect(CODE.text, CODE.reference)) === CODE.text) return word();
    await take(4);
    return '';
  };
  const type = async (parents = 0): Promise<JavaClass | undefined> => {
    const code = await expect(CODE.class, CODE.reference, CODE.nothing);
    if (code === CODE.reference) await take(4);
    if (code !== CODE.class) return undefined;
    if (parents > PARENTS_LIMIT) throw damaged(name, 'its class has too many parent classes');
    const className = await word();
    // The version of the class, and how it is serialized.
    await take(8 + 1);
    const fields: string[] = [];
    for (let left = (await take(2)).getUint16(0); left > 0; left--) {
      const kind = String.fromCharCode(await byte());
      fields.push(await word());
      if (kind === '[' || kind === 'L') await text();
    }
    await expect(CODE.end);
    await type(parents + 1);
    return { name: className, fields };
  };
  return {
    position: () => position,
    take,
    type,
    text,
    async begin() {
      await take(BEGIN_BYTES);
    },
    async object() {
      await expect(CODE.object, CODE.constant);
      return type();
    },
  };
}
