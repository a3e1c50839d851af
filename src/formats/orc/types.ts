import { damaged } from '../../errors.ts';
import type { EncodingName } from '../../hashes/encodings.ts';
import type { HashName } from '../../hashes/registry.ts';
import type { KeyType, KeyTypes } from '../key-types.ts';
import type { TypeNode } from './footer.ts';
import { ORC_KEYS, TEXT_HASH } from './keys.ts';

/**
 * Types of values by the numbers of orc_proto.proto, and the key types of their records. A type without a key type
 * cannot be queried.
 */
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
 * Key types that users may state for a column, by the type of its records. Whole numbers of any width, dates and
 * times are hashed as longs. Only texts are hashed by their bytes.
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

/** The largest number of characters of a char column. */
const CHAR_LIMIT = 255;

/** A column that has values. */
export interface Leaf {
  /** The number of the column and of its node. */
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly keyType: KeyType | undefined;
  readonly accepts: readonly KeyType[];
  readonly hash: HashName;
  readonly encoding: EncodingName | undefined;
  readonly encodingParameters?: readonly bigint[] | undefined;
  /** Not in a list, map or union, so that each row has one value. */
  readonly isFlat: boolean;
  readonly isEncrypted: boolean;
}

/** The largest number of levels of a schema. */
const LEVELS_LIMIT = 100;

/** The leaves of a schema. The first node is the root. Throws a `format` error if the nodes are not a tree. */
export function leavesOf(types: readonly TypeNode[], encrypted: readonly number[], file: string): Leaf[] {
  const leaves: Leaf[] = [];
  let next = 0;
  const visit = (id: number, path: readonly string[], within: Pick<Leaf, 'isFlat' | 'isEncrypted'>): void => {
    const node = types[id];
    // Nodes are numbered in this order. No node is therefore visited twice.
    if (node === undefined || id !== next++ || path.length > LEVELS_LIMIT)
      throw damaged(file, 'its schema is not a tree');
    const isEncrypted = within.isEncrypted || encrypted.includes(id);
    const isFlat = within.isFlat && (node.kind === STRUCT || node.children.length === 0);
    for (const [i, child] of node.children.entries())
      visit(child, [...path, childName(node, i)], { isFlat, isEncrypted });
    if (node.children.length === 0) leaves.push({ id, name: path.join('.'), ...typeOf(node), isFlat, isEncrypted });
  };
  if (types.length > 0) visit(0, [], { isFlat: true, isEncrypted: false });
  return leaves;
}

/** The name that the ORC tools give a child of a node. */
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
