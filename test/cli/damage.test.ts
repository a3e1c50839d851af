// What the commands report about a damaged filter, and about a forged one.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { canBeUsed, KINDS, type Use } from '../../src/filters/registry.ts';
import { segmented } from '../../src/sizing/geometry.ts';
import { IS_LONG, inLongRuns, sampled } from '../long.ts';
import { sealHeader, sealTable } from '../reference/bloom-file.ts';
import { digestOf } from '../reference/digests.ts';
import type { Outcome } from '../starter.ts';
import { scratch } from './run.ts';

const { bloom, path, within } = scratch();

const KEYS = Array.from({ length: 40 }, (_, i) => `key ${i}`);
const LINES = KEYS.map((key) => `${key}\n`).join('');
const HEADER = 128;
const KIND_NAMES = KINDS.map(({ name }) => name);

/** test/formats covers all kinds; at the command line some kinds suffice. */
const SOME_KINDS = inLongRuns(KIND_NAMES, ['scalable']);
const SLOTTED = inLongRuns(
  KIND_NAMES,
  KINDS.filter(({ refuses }) => refuses).map(({ name }) => name),
);

beforeAll(() => writeFileSync(path('lines'), LINES));

async function fileOf(kind: string): Promise<Uint8Array> {
  if (!existsSync(path(kind))) {
    const { status, stderr } = await within(['build', '--kind', kind, '-m', '9M', '-o', kind], { stdin: LINES });
    if (status !== 0) throw new Error(stderr);
  }
  return new Uint8Array(readFileSync(path(kind)));
}

function geometryOf(file: Uint8Array): { segments: number; bytes: number } {
  const view = new DataView(file.buffer);
  return { segments: view.getUint32(40, true), bytes: view.getUint32(44, true) / 8 };
}

/** The second segment is the damaged one. */
const DAMAGED = 1;

function segmentOf(key: string, segments: number): number {
  const rules = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false } as const;
  return Number(((digestOf(new Uint8Array(Buffer.from(key)), rules) >> 32n) * BigInt(segments)) >> 32n);
}

function keyIn(file: Uint8Array, isWanted: (segment: number) => boolean): string {
  const { segments } = geometryOf(file);
  return KEYS.find((key) => isWanted(segmentOf(key, segments))) ?? '';
}

function flipped(file: Uint8Array, at: number): Uint8Array {
  file[at] = (file[at] ?? 0) ^ 1;
  return file;
}

const TAKES_ALL: readonly (readonly [string, readonly string[], Use?])[] = [
  ['query', ['query', 'x.bloom', 'lines']],
  ['stats', ['stats', '--probes', '10k', 'x.bloom']],
  ['stats --verify', ['stats', '--verify', 'x.bloom']],
  ['stats of the standard input', ['stats', '--probes', '10k', '-']],
  ['merge', ['merge', 'x.bloom', 'whole.bloom', '-o', 'new.bloom'], 'merge'],
  ['merge --dry-run', ['merge', '--dry-run', 'whole.bloom', 'x.bloom'], 'merge'],
  ['add', ['add', 'x.bloom', 'lines'], 'add'],
  ['remove', ['remove', 'x.bloom', 'lines'], 'remove'],
];
const TAKES_HEADER: typeof TAKES_ALL = [['build --like', ['build', '--like', 'x.bloom', 'lines', '-o', 'new.bloom']]];

/** Runs commands that must each refuse x.bloom and leave it unchanged. */
async function expectRefusals(
  kind: string,
  file: Uint8Array,
  commands: typeof TAKES_ALL,
  message: string | RegExp,
): Promise<void> {
  writeFileSync(path('x.bloom'), file);
  writeFileSync(path('whole.bloom'), await fileOf(kind));
  const { abilities = [] } = KINDS.find(({ name }) => name === kind) ?? {};
  for (const [name, args, ability] of commands) {
    if (ability !== undefined && !canBeUsed({ abilities }, ability)) continue;
    const outcome = args.includes('-') ? await within(args, { stdin: Buffer.from(file) }) : await within(args);
    expectRefusal(outcome, message, `${name}, ${kind}`);
    expect(existsSync(path('new.bloom')), name).toBe(false);
  }
  expect(Buffer.compare(readFileSync(path('x.bloom')), file)).toBe(0);
}

function expectRefusal({ status, stdout, stderr }: Outcome, message: string | RegExp, name: string): void {
  expect(stderr, name).toMatch(/^bloom: (x\.bloom|standard input) is damaged: /);
  expect(stderr, name).toMatch(message);
  expect(stderr.trim().split('\n'), name).toHaveLength(1);
  expect(stdout, name).toBe('');
  expect(status, name).toBe(2);
}

/** Some commands stand for all, as each checks the header before its own work. */
const SOME = [...TAKES_ALL, ...TAKES_HEADER].filter(([name]) =>
  ['query', 'stats --verify', 'merge', 'build --like'].includes(name),
);
const SOME_TAKE_ALL = SOME.filter((command) => TAKES_ALL.includes(command));

test.each(inLongRuns(['bloom', 'quotient'], ['bloom']))(
  'a %s filter with a damaged header or table is refused by every command',
  async (kind) => {
    const file = await fileOf(kind);
    await await expectRefusals(
      kind,
      flipped(await fileOf(kind), 70),
      [...TAKES_ALL, ...TAKES_HEADER],
      'the checksum of its header',
    );
    expectRefusal(await within(['query', 'x.bloom', '-e', 'key 1']), 'the checksum of its header', 'query -e');
    const commands = inLongRuns(TAKES_ALL, SOME_TAKE_ALL);
    await await expectRefusals(
      kind,
      flipped(await fileOf(kind), file.length - 10),
      commands,
      'its table of checksums does not match',
    );
    expectRefusal(await within(['query', 'x.bloom', '-e', 'key 1']), 'its table of checksums', 'query -e');
  },
);

describe.each(SOME_KINDS)('a %s filter', (kind) => {
  test.runIf(IS_LONG)('with a damaged header is refused', async () => {
    const file = flipped(await fileOf(kind), 70);
    await await expectRefusals(kind, file, SOME, 'the checksum of its header does not match');
    expectRefusal(await within(['query', 'x.bloom', '-e', 'key 1']), 'the checksum of its header', 'query -e');
  });

  test.runIf(IS_LONG)('with a damaged table is refused', async () => {
    const file = flipped(await fileOf(kind), (await fileOf(kind)).length - 10);
    await await expectRefusals(
      kind,
      file,
      SOME_TAKE_ALL,
      'its table of checksums does not match its header, which is intact',
    );
    expectRefusal(await within(['query', 'x.bloom', '-e', 'key 1']), 'its table of checksums', 'query -e');
  });

  test('with a damaged segment is refused by every command that reads it; keys of other segments are found', async () => {
    const file = await fileOf(kind);
    const { segments, bytes } = geometryOf(file);
    expect(segments).toBeGreaterThan(2);
    const message = `segment ${DAMAGED + 1} of ${segments} does not match its checksum (header and table are intact`;
    await await expectRefusals(kind, flipped(file, HEADER + DAMAGED * bytes + 77), TAKES_ALL, message);
    const inside = keyIn(file, (segment) => segment === DAMAGED);
    const outside = keyIn(file, (segment) => segment !== DAMAGED);
    expectRefusal(await within(['query', 'x.bloom', '-e', inside]), message, 'query -e');
    expect(await within(['query', 'x.bloom', '-e', outside])).toEqual({
      stdout: `${outside}\n`,
      stderr: '',
      status: 0,
    });
  });
});

test('a filter that is cut off, or has more bytes, is refused', async () => {
  const file = await fileOf('bloom');
  const sizes = `bytes instead of the ${file.length} of its header;`;
  await await expectRefusals('bloom', file.slice(0, file.length - 1), SOME, sizes);
  const commands = inLongRuns(SOME, SOME.slice(0, 1));
  for (const wrong of [file.slice(0, HEADER), Buffer.concat([file, Buffer.alloc(1)])])
    await await expectRefusals('bloom', wrong, commands, sizes);
  await await expectRefusals(
    'bloom',
    file.slice(0, 100),
    commands,
    'it ends within its header, after 100 of 128 bytes',
  );
});

/** A file with a changed header or payload, and valid checksums. */
async function forged(kind: string, forge: (file: DataView) => void): Promise<Uint8Array> {
  const file = await fileOf(kind);
  forge(new DataView(file.buffer));
  sealHeader(file.subarray(0, HEADER));
  sealTable(file);
  return file;
}

/** The largest impossible k up to 64, of each kind that has one and does not grow. */
const IMPOSSIBLE = KINDS.flatMap((kind): [string, number][] => {
  const shapes = Array.from({ length: 64 }, (_, i) => ({ ...segmented(9e6), k: i + 1 }));
  const k = shapes.findLast((shape) => kind.growing === undefined && !kind.isShape(shape))?.k;
  return k === undefined ? [] : [[kind.name, k]];
});

test.each(inLongRuns(IMPOSSIBLE, IMPOSSIBLE.slice(1, 2)))(
  'a %s filter with the impossible k = %d is refused by every command',
  async (kind, k) => {
    const file = await forged(kind, (view) => view.setUint32(20, k, true));
    const message = `its shape is impossible for a ${kind} filter`;
    await await expectRefusals(
      kind,
      file,
      kind === IMPOSSIBLE[1]?.[0] ? inLongRuns([...TAKES_ALL, ...TAKES_HEADER], SOME) : SOME,
      message,
    );
    expectRefusal(await within(['query', 'x.bloom', '-e', 'key 1']), message, 'query -e');
  },
);

test.each(inLongRuns(SLOTTED, SLOTTED.slice(0, 2)))('no command crashes on a %s filter of only ones', async (kind) => {
  const { segments, bytes } = geometryOf(await fileOf(kind));
  const file = await forged(kind, ({ buffer }) => new Uint8Array(buffer, HEADER, segments * bytes).fill(0xff));
  writeFileSync(path('whole.bloom'), await fileOf(kind));
  const commands = TAKES_ALL.filter(([, used]) => !used.includes('-o'));
  for (const [name, args] of inLongRuns(
    commands,
    commands.filter(([name]) => ['query', 'add', 'remove'].includes(name)),
  )) {
    writeFileSync(path('x.bloom'), file);
    const { status, stderr } = await within(args, { stdin: args.includes('-') ? Buffer.from(file) : LINES });
    expect(stderr, name).not.toContain('internal error');
    expect([0, 1, 2], name).toContain(status);
  }
});

test('filters that state too many keys to count together are not merged', async () => {
  const file = await forged('bloom', (view) => view.setBigUint64(64, 2n ** 53n - 1n, true));
  writeFileSync(path('x.bloom'), file);
  const { status, stderr } = await within(['merge', 'x.bloom', 'x.bloom', '-o', 'sum.bloom']);
  expect(stderr).toContain('are more than a file can state');
  expect(status).toBe(2);
  expect(existsSync(path('sum.bloom'))).toBe(false);
});

describe('a header that states more than the file has is refused, in little memory', () => {
  const LIMIT = 100_000_000;
  beforeAll(() => {
    // On Linux, maxRSS includes the process that started this one; /proc has the peak of this process alone.
    const report = `process.on('exit', () => {
      const own = () => /VmHWM:\\s*(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))[1];
      const peak = process.platform === 'linux' ? Number(own()) : process.resourceUsage().maxRSS;
      console.error('peak', 1024 * peak);
    });`;
    writeFileSync(path('peak.cjs'), report);
  });

  /** The header of a filter with this many segments of this many bits, and bytes that could be its first. */
  async function promising(kind: string, segments: number, segmentBits: number): Promise<Uint8Array> {
    const file = await fileOf(kind);
    const view = new DataView(file.buffer);
    const bits = BigInt(segments) * BigInt(segmentBits);
    view.setBigUint64(32, bits, true);
    view.setUint32(40, segments, true);
    view.setUint32(44, segmentBits, true);
    view.setBigUint64(72, bits / 8n, true);
    view.setBigUint64(48, 2n ** 53n - 1n, true);
    sealHeader(file.subarray(0, HEADER));
    return file.subarray(0, 100_000);
  }

  /** The largest segment of a quotient filter with k = 7 consists of whole blocks of 640 bits, and of whole lines. */
  const LARGEST = 2 ** 32 - (2 ** 32 % 2560);

  test.each([
    ['exabytes', 2 ** 32 - 1, LARGEST],
    ['a gibibyte in small segments', 2 ** 20, 8192 - (8192 % 2560)],
    ...inLongRuns(
      [
        ['a pebibyte', 2 ** 21, LARGEST],
        ['gibibytes', 16, LARGEST],
      ] as const,
      [],
    ),
  ] as const)('%s', async (_, segments, segmentBits) => {
    for (const kind of inLongRuns(['bloom', 'quotient'], ['quotient'])) {
      const file = await promising(kind, segments, segmentBits);
      writeFileSync(path('x.bloom'), file);
      const commands = [
        ['query', 'x.bloom', '-e', 'a'],
        ['query', '-', '-e', 'a'],
        ['stats', '-'],
        ['merge', '-', '--dry-run'],
        ['add', 'x.bloom'],
        ['build', '--like', 'x.bloom', '-o', 'new.bloom'],
      ];
      for (const args of IS_LONG && segments > 2 ** 20 ? commands : sampled(commands)) {
        const stdin = args.includes('-') ? Buffer.from(file) : LINES;
        const { status, stdout, stderr } = bloom(args, {
          stdin,
          env: { NODE_OPTIONS: '--require ./peak.cjs' },
        });
        const name = `${args.join(' ')}, ${kind}`;
        expect(stderr, name).toMatch(/^bloom: .*(is damaged|of memory|can hold)/);
        expect(stderr, name).not.toContain('internal error');
        expect(stdout, name).toBe('');
        expect(status, name).toBe(2);
        expect(Number(/peak (\d+)/.exec(stderr)?.[1]), name).toBeLessThan(LIMIT);
      }
    }
  });
});
