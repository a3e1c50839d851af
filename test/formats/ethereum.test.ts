// The logsBloom of Ethereum: published vectors of Keccak and of go-ethereum, and files that resemble one.

import { describe, expect, test } from 'vitest';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { formatOf } from '../../src/formats/registry.ts';
import { withPipes } from '../engine/threads/worker-pools.ts';
import { linesOf } from '../filters/filling.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { IS_LONG } from '../long.ts';
import { ethereum, keccak256, positionsOf } from '../reference/formats/ethereum.ts';
import { createRandom } from '../reference/random.ts';
import { answersTo, positivesIn, withLoaded } from './asking.ts';
import { placed } from './bloomery/files.ts';

const utf8 = (text: string) => new Uint8Array(Buffer.from(text));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test.each([
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
])('the Keccak-256 of the oracle is that of the Keccak reference: "%s"', (text, digest) => {
  expect(hex(keccak256(utf8(text)))).toBe(digest);
});

/** Bytes that the hash takes at a time. */
const BLOCK = 136;

test('the positions of keys of any length to three blocks are those of the oracle', () => {
  const random = createRandom(5);
  const lengths = Array.from({ length: 3 * BLOCK + 2 }, (_, length) => length);
  // The default run has those around whole blocks, and some of the others.
  const tried = lengths.filter((length) => IS_LONG || (length + 2) % BLOCK < 5 || length % 17 === 0);
  const keys = tried.map((length) => Uint8Array.from({ length }, random));
  const kernel = usedKernel();
  const [spans, digests, parameters] = [8, 24, 1].map((bytes) => kernel.reserve(bytes * (keys.length + 344))) as [
    number,
    number,
    number,
  ];
  for (const [i, key] of keys.entries()) {
    const at = kernel.reserve(key.length);
    kernel.bytes(at, key.length).set(key);
    new Uint32Array(kernel.memory.buffer, spans + 8 * i, 2).set([at, key.length]);
  }
  kernel.exports.ethereumHash(spans, keys.length, digests, parameters);
  const positions = new BigUint64Array(kernel.memory.buffer, digests, 3 * keys.length);
  expect([...positions].map(Number)).toEqual(keys.flatMap(positionsOf));
});

describe('the vectors of bloom9_test.go of go-ethereum', () => {
  const emptyFilter = () => ethereum.vessels['digits alone']?.().filter;

  test('a bloom of 100 keys, by its hash', () => {
    const filter = emptyFilter();
    for (let i = 0; i < 100; i++) filter?.add(utf8(`xxxxxxxxxx data ${i} yyyyyyyyyyyyyy`));
    const text = Buffer.from(filter?.encode() ?? []).toString();
    expect(hex(keccak256(Buffer.from(text, 'hex')))).toBe(
      'c8d3ca65cdb4874300a9e39475508f23ed6da09fdbc487f89a2dcf50b09eb263',
    );
  });

  test('four present keys and two absent keys', async () => {
    const filter = emptyFilter();
    for (const key of ['testtest', 'test', 'hallo', 'other']) filter?.add(utf8(key));
    const file = placed(Buffer.from(filter?.encode() ?? []));
    const keys = ['testtest', 'test', 'hallo', 'other', 'tes', 'lo'].map(utf8);
    const answers = await withLoaded(file, 1, (loaded) => answersTo(loaded, keys), { keyType: 'text' });
    expect(answers).toEqual([true, true, true, true, false, false]);
  });
});

// The bloom of one log: the token USDT of the mainnet, and the topic of its event Transfer. The topic is the Keccak-256 of the
// event's signature.
const ADDRESS = 'dac17f958d2ee523a2206206994597c13d831ec7';
const TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

test('keys are hexadecimal unless their type is stated', async () => {
  expect(hex(keccak256(utf8('Transfer(address,address,uint256)')))).toBe(TOPIC);
  const filter = ethereum.vessels['0x and a line end']?.().filter;
  for (const key of [ADDRESS, TOPIC]) filter?.add(Buffer.from(key, 'hex'));
  const file = placed(Buffer.from(filter?.encode() ?? []));
  const present = [ADDRESS, `0x${ADDRESS}`, `0x${TOPIC.toUpperCase()}`, ` 0X${TOPIC} `];
  const absent = [`0x${ADDRESS.slice(2)}`, `0x00${ADDRESS}`];
  const inputs = [present, absent].map((keys, i) => placed(linesOf(keys), `input${i}`));
  expect(await positivesIn(file, inputs, createWorkerPool(1))).toEqual([present.length, 0]);
});

describe('files that resemble a bloom', () => {
  const tailOf = (bytes: Uint8Array) => () => new Uint8Array(Buffer.concat([Buffer.alloc(64), bytes]).subarray(-64));
  const told = (text: string) => formatOf(utf8(text), text.length, tailOf(utf8(text)))?.system;

  test.each([
    ['512 digits', '0'.repeat(512), 'Ethereum'],
    ['511 digits', '0'.repeat(511), undefined],
    ['514 digits', '0'.repeat(514), undefined],
    ['0x and 510 digits', `0x${'0'.repeat(510)}`, undefined],
    ['words', 'ab walk '.repeat(64), undefined],
  ])('%s', (_, text, system) => {
    expect(told(text)).toBe(system);
  });

  test('two lines of 512 characters in all are refused', async () => {
    const file = placed(utf8(`${'0'.repeat(255)}\n${'0'.repeat(256)}`));
    await expect(openFilterFile(file, 'query')).rejects.toMatchObject({ code: 'format' });
  });

  test('a text that may be a message of BIP37 has to be stated as one or the other', async () => {
    const text = `f6${'11'.repeat(246)}07000000${'00'.repeat(5)}`;
    expect(text.length).toBe(512);
    const file = placed(utf8(text));
    await expect(openFilterFile(file, 'query')).rejects.toMatchObject({
      code: 'format',
      message: expect.stringMatching(/an Ethereum logsBloom or .*BIP37/),
    });
    for (const [format, k] of [
      ['ethereum', 3],
      ['bip37', 7],
    ] as const) {
      const opened = await openFilterFile(file, 'query', { format });
      opened.close();
      expect(opened.description).toMatchObject({ format: { name: format }, shape: { k } });
    }
  });

  test('256 bytes alone are not recognised, so their format must be stated', async () => {
    const file = placed(new Uint8Array(256).fill(7));
    await expect(openFilterFile(file, 'query')).rejects.toMatchObject({ code: 'format' });
    await expect(openFilterFile(file, 'query', { format: 'ethereum' })).rejects.toMatchObject({
      message: expect.stringContaining('not a filter of Ethereum'),
      hint: expect.stringContaining('--format ethereum-raw'),
    });
    (await openFilterFile(file, 'query', { format: 'ethereum-raw' })).close();
    const inPipe = withPipes([file], ([pipe = '']) => openFilterFile(pipe, 'query', { format: 'ethereum-raw' }));
    (await inPipe).close();
  });
});
