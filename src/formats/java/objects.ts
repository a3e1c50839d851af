// Streams of Java's object serialization (Java Object Serialization Specification, chapter 6), as far as filters are objects in
// them: what is said of their classes, and the strings and names of constants among their fields.

import { damaged } from '../../errors.ts';
import type { ByteSource } from '../../io/source.ts';
import { readHead } from '../flat-file.ts';
import { BEGIN_BYTES, CODE } from './signatures.ts';

/** What is said of a class. */
export interface JavaClass {
  readonly name: string;
  /** The names of its fields, in their order. */
  readonly fields: readonly string[];
}

/** A thing in a stream, whose fields follow; a constant of an enum has none. */
export interface JavaThing {
  /** Undefined where a reference says so, to what was said before. */
  readonly of: JavaClass | undefined;
  readonly isConstant: boolean;
}

/** Reads a stream on. Each of these throws a `format` error for what it is not, and where the stream ends. */
export interface JavaStream {
  /** Bytes that were read. */
  position(): number;
  take(length: number): Promise<DataView>;
  /** What begins every stream. */
  begin(): Promise<void>;
  /** What is said of the class of the next thing. */
  type(): Promise<JavaClass | undefined>;
  thing(): Promise<JavaThing>;
  text(): Promise<string>;
}

/** Classes above a class; those of filters have one or none. */
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
    throw damaged(name, `as an object of Java it has something unknown before byte ${position}`);
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
    if (parents > PARENTS_LIMIT) throw damaged(name, 'its class has too many parents');
    const className = await word();
    // Its version, and how it is serialized.
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
    async thing() {
      const code = await expect(CODE.object, CODE.constant);
      return { of: await type(), isConstant: code === CODE.constant };
    },
  };
}
