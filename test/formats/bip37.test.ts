// Filters of BIP37 as nodes send them, and the vectors of Bitcoin Core.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { formatOf } from '../../src/formats/registry.ts';
import { withPipes } from '../engine/threads/worker-pools.ts';
import { answersTo, withLoaded } from './asking.ts';
import { placed } from './bloomery/files.ts';
import { added, fileOf, merged } from './making.ts';

const KEYS = [
  '99108ad8ed9bb6274d3980bab5a85c048f0950c8',
  'b5a2c786d9ef4658287ced5914b37a1b4aa32eee',
  'b9300670b4c5366e95b2699e8b18bc75e5f729c5',
];
const NON_MEMBER = '19108ad8ed9bb6274d3980bab5a85c048f0950c8';

// `bloom_create_insert_serialize` and `bloom_create_insert_serialize_with_tweak` of bloom_tests.cpp.
const MESSAGES = ['03614e9b050000000000000001', '03ce4299050000000100008001'];

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));

/** A message as a node of the main network sends it. */
function sent(message: Uint8Array): Buffer {
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const length = Buffer.alloc(4);
  length.writeUInt32LE(message.length);
  return Buffer.concat([
    hex('f9beb4d9'),
    Buffer.from('filterload\0\0'),
    length,
    sha(sha(message)).subarray(0, 4),
    message,
  ]);
}

/** The forms of a message in files. */
const FORMS: Readonly<Record<string, (message: Uint8Array) => Buffer>> = {
  'in binary': (message) => Buffer.from(message),
  'in hexadecimal': (message) => Buffer.from(Buffer.from(message).toString('hex')),
  'in hexadecimal, with a line end': (message) => Buffer.from(`${Buffer.from(message).toString('hex')}\r\n`),
  'as it is sent': sent,
  'as it is sent, in hexadecimal': (message) => Buffer.from(sent(message).toString('hex')),
};

describe.each(MESSAGES)('%s', (message) => {
  const forms = Object.entries(FORMS).map(([form, of]) => [form, of(hex(message)), /sent/.test(form)] as const);
  const capitals = Buffer.from(message.toUpperCase());
  test.each([...forms, ['in capitals', capitals, false] as const])('%s has its keys', async (_, bytes, isSent) => {
    const verified = isSent ? 'opened' : undefined;
    const file = placed(bytes, 'filter');
    expect(await withLoaded(file, 1, (loaded) => answersTo(loaded, [...KEYS, NON_MEMBER].map(hex)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    const opened = await openFilterFile(file, 'query');
    opened.close();
    expect(opened).toMatchObject({ verified, description: { shape: { bits: 24, k: 5 }, bytes: bytes.length } });
  });
});

describe.each(Object.entries(FORMS))('a message that is %s', (_, form) => {
  const [message = ''] = MESSAGES;
  const keys = KEYS.map(hex);
  const empty = hex(`03000000${message.slice(8)}`);

  test('stays in this form when keys are added', async () => {
    const file = placed(form(empty));
    expect(Buffer.from(await added(file, {}, [fileOf(keys)])).equals(form(hex(message)))).toBe(true);
  });

  test('stays in this form when it is merged', async () => {
    const first = placed(Buffer.from(await added(placed(form(empty)), {}, [fileOf(keys.slice(0, 1))])), 'first');
    const rest = placed(Buffer.from(await added(placed(empty), {}, [fileOf(keys.slice(1))])), 'rest');
    expect(Buffer.from(await merged([first, rest], {})).equals(form(hex(message)))).toBe(true);
  });
});

test.each([
  ['a changed byte', (bytes: Buffer) => bytes.writeUInt8(0xff, 26), 'its checksum does not match'],
  ['another checksum', (bytes: Buffer) => bytes.writeUInt8((bytes[20] ?? 0) ^ 1, 20), 'its checksum does not match'],
])('a message with %s is refused', async (_, spoil, message) => {
  const bytes = sent(hex(MESSAGES[0] ?? ''));
  spoil(bytes);
  await expect(openFilterFile(placed(bytes), 'query')).rejects.toMatchObject({
    code: 'format',
    message: expect.stringContaining(message),
  });
});

// The first byte of each line would be a length of a message, but no line is a message.
test.each(['83'.repeat(70), 'a'.repeat(100), `${'0123456789abcdef'.repeat(5)}\n`])(
  'a line in hexadecimal is called damaged only if its format is stated: %s',
  async (text) => {
    const file = placed(Buffer.from(text));
    await expect(openFilterFile(file, 'query')).rejects.toMatchObject({
      message: expect.not.stringMatching(/damaged|BIP37/),
    });
    const message = expect.stringMatching(/damaged.*BIP37/);
    await expect(openFilterFile(file, 'query', { format: 'bip37' })).rejects.toMatchObject({ message });
    const inPipe = withPipes([file], ([pipe = '']) => openFilterFile(pipe, 'query'));
    await expect(inPipe).rejects.toMatchObject({ message: expect.stringContaining('is hexadecimal text') });
  },
);

test('a message in an envelope is damaged if it is cut off', async () => {
  const cut = sent(hex(MESSAGES[0] ?? '')).subarray(0, -2);
  for (const bytes of [cut, Buffer.from(cut.toString('hex'))])
    await expect(openFilterFile(placed(bytes), 'query')).rejects.toMatchObject({
      message: expect.stringContaining('damaged'),
    });
});

test.each([
  ['a line of a hash', '99108ad8ed9bb6274d3980bab5a85c048f0950c8\n'],
  ['a short text of as many letters as its first byte says', `a${'b'.repeat(106)}`],
])('%s is not a filter', (_, text) => {
  const bytes = Buffer.from(text);
  const tail = Buffer.concat([Buffer.alloc(64), bytes]).subarray(-64);
  expect(formatOf(bytes, bytes.length, () => new Uint8Array(tail))).toBeUndefined();
});
