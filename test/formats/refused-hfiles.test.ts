// HFiles that are damaged, or that bloom cannot query, are refused with the reason.

import { expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import {
  BLOCK_HEADER_BYTES,
  blockOf,
  delimited,
  field,
  GZIP,
  number,
  PLAIN,
  TRAILER_BYTES,
} from '../reference/formats/hbase.ts';
import { joined, latin } from '../reference/formats/table.ts';
import { placed } from './bloomery/files.ts';

const WORDS = new Uint8Array(16).fill(255);

/** An HFile with one chunk, unless several first keys are stated. What is not stated is as HBase writes it. */
interface Made {
  /** The properties of its filter. */
  readonly type?: string;
  readonly parameter?: Uint8Array;
  /** The block of each chunk, what the metadata says of the first one, and the first keys. */
  readonly chunk?: Uint8Array;
  readonly chunkAt?: number;
  readonly k?: number;
  readonly firstKeys?: readonly Uint8Array[];
  /** The blocks that are read when the file is opened. */
  readonly properties?: Uint8Array;
  readonly isWithoutMetadata?: boolean;
  /** Further fields of the trailer. */
  readonly trailer?: readonly Uint8Array[];
}

const property = (key: string, value: Uint8Array) => field(1, joined([field(1, latin(key)), field(2, value)]));

function propertiesOf({ type = 'ROW', parameter }: Made): Uint8Array {
  const pairs = type === '' ? [] : [property('BLOOM_FILTER_TYPE', latin(type))];
  if (parameter !== undefined) pairs.push(property('BLOOM_FILTER_PARAM', parameter));
  return joined([latin('PBUF'), delimited(joined(pairs))]);
}

/** A length as Hadoop's WritableUtils write it: one byte below 128, or a byte that stands for two more. */
const vint = (length: number) => Uint8Array.of(...(length < 128 ? [length] : [0x8e, length >> 8, length & 255]));

function hfile(made: Made): Uint8Array {
  const { chunk = blockOf('BLMFBLK2', WORDS, PLAIN), k = 7, firstKeys = [latin('a')], trailer = [] } = made;
  const data = blockOf('DATABLK*', latin('cells'), PLAIN);
  const { properties = blockOf('FILEINF2', propertiesOf(made), PLAIN), chunkAt = data.length } = made;
  const head = [
    number(3, 4),
    number(0, 8),
    number(k, 4),
    number(1, 4),
    number(200, 8),
    number(300, 8),
    number(firstKeys.length, 4),
  ];
  const chunks = firstKeys.map((firstKey, i) =>
    joined([number(chunkAt + i * chunk.length, 8), number(chunk.length, 4), vint(firstKey.length), firstKey]),
  );
  const metadata = made.isWithoutMetadata
    ? []
    : [blockOf('BLMFMET2', joined([...head, number(0, 1), ...chunks]), PLAIN)];
  const end = new Uint8Array(TRAILER_BYTES);
  const fields = joined([field(2, data.length + chunks.length * chunk.length), field(12, 2), ...trailer]);
  end.set(joined([latin('TRABLK"$'), delimited(fields)]));
  new DataView(end.buffer).setUint32(TRAILER_BYTES - 4, 3);
  return joined([data, ...chunks.map(() => chunk), properties, ...metadata, end]);
}

/** The message of the error for a file, without its name, or what was opened. */
async function refusal(made: Made): Promise<string> {
  const name = placed(hfile(made), 'x.hfile');
  try {
    const { close } = await openFilterFile(name, 'query');
    close();
    return 'opened';
  } catch (error) {
    if (!(error instanceof BloomError) || error.code !== 'format') throw error;
    return error.message.replace(name, 'x');
  }
}

/**
 * The key of a cell: the length of the row, the row, the length of the family, which is empty, the qualifier, and 9 bytes
 * at the end.
 */
const cell = (row: string, rowBytes = row.length, qualifier = '') =>
  joined([Uint8Array.of(rowBytes >> 8, rowBytes), latin(row), Uint8Array.of(0), latin(qualifier), new Uint8Array(9)]);

const gzip = { ...PLAIN, codec: GZIP };
const CODEC_GZIP = field(12, GZIP);

/** A copy with other bytes. */
function spoiled(bytes: Uint8Array, write: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  write(new DataView(copy.buffer));
  return copy;
}

const PROPERTIES = blockOf('FILEINF2', propertiesOf({}), PLAIN);
const unsummed = { ...PLAIN, checksum: 0 };

test.each<[string, Made, string]>([
  ['is whole', {}, 'opened'],
  ['has cells', { type: 'ROWCOL', firstKeys: [cell('row')] }, 'opened'],
  ['has prefixes of one byte', { type: 'ROWPREFIX_FIXED_LENGTH', parameter: number(1, 4) }, 'opened'],
  ['has no type', { type: '' }, 'x has no filter'],
  ['has the type NONE', { type: 'NONE' }, 'x has no filter'],
  ['has a type to come', { type: 'ROWCOLS' }, 'x has a filter of type ROWCOLS, which bloom cannot query'],
  [
    'has prefixes of no length',
    { type: 'ROWPREFIX_FIXED_LENGTH' },
    'x has a filter of type ROWPREFIX_FIXED_LENGTH, which bloom cannot query',
  ],
  [
    'has prefixes of 0 bytes',
    { type: 'ROWPREFIX_FIXED_LENGTH', parameter: number(0, 4) },
    'x has a filter of type ROWPREFIX_FIXED_LENGTH, which bloom cannot query',
  ],
  [
    'has prefixes of a long number',
    { type: 'ROWPREFIX_FIXED_LENGTH', parameter: number(3, 8) },
    'x has a filter of type ROWPREFIX_FIXED_LENGTH, which bloom cannot query',
  ],
  [
    'has only the properties',
    { isWithoutMetadata: true },
    'x is damaged: its properties state a filter, but it has none',
  ],
  [
    'has no properties',
    { properties: blockOf('IDXROOT2', latin('index'), PLAIN) },
    'x is damaged: it has no properties',
  ],
  [
    'has properties of another form',
    { properties: blockOf('FILEINF2', latin('pbuf'), PLAIN) },
    'x: its properties is damaged: they do not begin with PBUF',
  ],
  ['has a row instead of a cell', { type: 'ROWCOL', firstKeys: [cell('row', 4)] }, 'does not begin with a cell'],
  ['has another block as a chunk', { chunk: blockOf('BLMFBLK1', WORDS, PLAIN) }, 'it begins with "BLMFBLK1"'],
  [
    'has a chunk without bytes',
    { chunk: blockOf('BLMFBLK2', new Uint8Array(), PLAIN) },
    'it cannot have 0 bytes and 7 hash functions',
  ],
  ['has no hash functions', { k: 0 }, 'it cannot have 16 bytes and 0 hash functions'],
  ['has -1 hash functions', { k: -1 }, 'it cannot have 16 bytes and -1 hash functions'],
  ['is encrypted', { trailer: [field(13, latin('key'))] }, 'x is an encrypted HFile, which bloom cannot read'],
  [
    'begins after its end',
    { trailer: [field(2, 2 ** 20)] },
    'x is damaged: its trailer states an offset outside the file',
  ],
  [
    'has a chunk after its end',
    { chunkAt: 2 ** 20 },
    'the chunk of its filter at byte 1048576 is damaged: it is outside',
  ],
  [
    'has checksums of a sort to come',
    { properties: spoiled(PROPERTIES, (view) => view.setUint8(24, 3)) },
    'it has checksums of an unknown type, 3',
  ],
  [
    'has a checksum for every 0 bytes',
    { properties: spoiled(PROPERTIES, (view) => view.setInt32(25, 0)) },
    'it has a wrong number of checksums',
  ],
  [
    'has a checksum too few',
    { properties: spoiled(PROPERTIES, (view) => view.setInt32(25, BLOCK_HEADER_BYTES)) },
    'it has a wrong number of checksums',
  ],
  [
    'has another byte',
    { properties: spoiled(PROPERTIES, (view) => view.setUint8(BLOCK_HEADER_BYTES, 0)) },
    'its checksum does not match',
  ],
  [
    'has no gzip where it should be',
    { trailer: [CODEC_GZIP], properties: blockOf('FILEINF2', propertiesOf({}), unsummed) },
    'it cannot be decompressed',
  ],
  [
    'has more behind gzip than it states',
    {
      trailer: [CODEC_GZIP],
      properties: spoiled(blockOf('FILEINF2', propertiesOf({}), { ...gzip, checksum: 0 }), (view) =>
        view.setInt32(12, propertiesOf({}).length - 1),
      ),
    },
    'it cannot be decompressed',
  ],
  [
    'has less behind gzip than it states',
    {
      trailer: [CODEC_GZIP],
      properties: spoiled(blockOf('FILEINF2', propertiesOf({}), { ...gzip, checksum: 0 }), (view) =>
        view.setInt32(12, propertiesOf({}).length + 1),
      ),
    },
    `it has ${propertiesOf({}).length} bytes instead of the ${propertiesOf({}).length + 1} of its header`,
  ],
])('an HFile that %s', async (_, made, message) => expect(await refusal(made)).toContain(message));

test('chunks for cells are named by the row and the qualifier of their first cells', async () => {
  const row = 'r'.repeat(256);
  const firstKeys = [cell('a', 1, 'first'), cell(row, 256, 'second')].map((key) => new Uint8Array(key));
  const opened = await openFilterFile(placed(hfile({ type: 'ROWCOL', firstKeys }), 'x.hfile'), 'query');
  opened.close();
  expect(opened).toMatchObject({
    arrays: [
      {
        parts: [
          { label: 'chunk at byte 42, keys from "a\\tfirst"' },
          { label: expect.stringContaining(`"${row.slice(0, 20)}`) },
        ],
      },
    ],
  });
});
