import { damaged } from '../../errors.ts';
import type { EncodingName } from '../../hashes/encodings.ts';
import type { HashName } from '../../hashes/registry.ts';
import type { KeyType, KeyTypes } from '../key-types.ts';
import type { TypeNode } from './footer.ts';
import { ORC_KEYS, TEXT_HASH } from './keys.ts';

/** The types of values, by the numbers of orc_proto.proto, and which records are such; none is where that is not known. */
const KINDS: readonly { readonly name: string; readonly keyType?: keyof typeof ORC_KEYS }[] = [
  { name: 'boolean' },
  { name: 'tinyint', keyType: 'int8' },
  { name: 'smallint', keyType: 'int16' },
  { name: 'int', keyType: 'int32' },
  { name: 'bigint', keyType: 'int64' },
  { name: 'float', keyType: 'float' },
  { name: 'double', keyType: 'double' },
  { name: 'string', keyType: 'text' },
  { name: 'binary', keyType: 'text' },
  { name: 'timestamp in ms', keyType: 'timestamp' },
  { name: 'list' },
  { name: 'map' },
  { name: 'struct' },
  { name: 'union' },
  { name: 'decimal', keyType: 'decimal' },
  { name: 'date', keyType: 'date' },
  { name: 'varchar', keyType: 'text' },
  { name: 'char' },
  { name: 'timestamp with time zone in ms', keyType: 'timestamp' },
];

/**
 * What records may be said to be of a column whose records are of a type: whole numbers of any width, dates and times are hashed as
 * longs, and only texts by their bytes.
 */
const ACCEPTED: Readonly<Record<keyof typeof ORC_KEYS, readonly KeyType[]>> = {
  text: ['text', 'hex'],
  hex: ['hex'],
  int8: ['int8', 'int16', 'int32', 'int64'],
  int16: ['int16', 'int32', 'int64'],
  int32: ['int32', 'int64'],
  int64: ['int64'],
  float: ['float'],
  double: ['double'],
  date: ['date', 'int32', 'int64'],
  timestamp: ['timestamp', 'int64'],
  decimal: ['decimal'],
};

const LIST = 10;
const MAP = 11;
const STRUCT = 12;
const CHAR = 17;

/** Characters that a value of such a column has at most. */
const CHAR_LIMIT = 255;

/** A column that has values. */
export interface Leaf {
  /** Its number, which is that of its node. */
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly keyType: KeyType | undefined;
  readonly accepts: readonly KeyType[];
  readonly hash: HashName;
  readonly encoding: EncodingName | undefined;
  readonly encodingParameters?: readonly bigint[] | undefined;
  /** It is in no list, map or union, so that it has a value in each row. */
  readonly isFlat: boolean;
  readonly isEncrypted: boolean;
}

/** Levels of a schema. */
const LEVELS_LIMIT = 100;

/** The leaves of a schema, of which the first node is the root. Throws a `format` error for what is no tree. */
export function leavesOf(types: readonly TypeNode[], encrypted: readonly number[], file: string): Leaf[] {
  const leaves: Leaf[] = [];
  let next = 0;
  const visit = (id: number, path: readonly string[], within: Pick<Leaf, 'isFlat' | 'isEncrypted'>): void => {
    const node = types[id];
    // Nodes are numbered in this order, so that none is visited twice.
    if (node === undefined || id !== next++ || path.length > LEVELS_LIMIT) throw damaged(file, 'its schema is no tree');
    const isEncrypted = within.isEncrypted || encrypted.includes(id);
    const isFlat = within.isFlat && (node.kind === STRUCT || node.children.length === 0);
    for (const [i, child] of node.children.entries())
      visit(child, [...path, childName(node, i)], { isFlat, isEncrypted });
    if (node.children.length === 0) leaves.push({ id, name: path.join('.'), ...typeOf(node), isFlat, isEncrypted });
  };
  if (types.length > 0) visit(0, [], { isFlat: true, isEncrypted: false });
  return leaves;
}

/** What the tools of ORC call the nodes below one. */
function childName({ kind, names }: TypeNode, index: number): string {
  if (kind === LIST) return '_elem';
  if (kind === MAP) return index === 0 ? '_key' : '_value';
  return names[index] ?? String(index);
}

function typeOf({
  kind,
  length,
}: TypeNode): Pick<Leaf, 'type' | 'keyType' | 'accepts' | 'hash' | 'encoding' | 'encodingParameters'> {
  if (kind === CHAR && length > 0 && length <= CHAR_LIMIT)
    return {
      type: `char(${length})`,
      keyType: 'text',
      accepts: ['text'],
      hash: TEXT_HASH,
      encoding: 'char',
      encodingParameters: [BigInt(length)],
    };
  const { name, keyType } = KINDS[kind] ?? { name: `type ${kind}` };
  const rules: KeyTypes = ORC_KEYS;
  const { hash = TEXT_HASH, encoding } = (keyType && rules[keyType]) ?? {};
  return { type: name, keyType, accepts: keyType === undefined ? [] : ACCEPTED[keyType], hash, encoding };
}
