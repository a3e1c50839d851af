// The speed of the kernel and of whole processes, as ratios within one run: absolute times say more about the machine.
// Run with: npm run bench [-- KEYS]

import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createCrew } from '../../src/engine/crew.ts';
import { createFilter } from '../../src/engine/filter-file.ts';
import { WHOLE_LINES } from '../../src/engine/keys.ts';
import { runPass } from '../../src/engine/pass.ts';
import { createPayload } from '../../src/engine/payload.ts';
import type { TaskSpec } from '../../src/engine/task.ts';
import { bloom } from '../../src/filters/bloom.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { bitsFor } from '../../src/sizing/bloom.ts';

const KEYS = Number(process.argv[2] ?? 10_000_000);
const ROUNDS = 5;
const LINE_BYTES = 26;
const BLOOM = resolve('bin/bloom.js');
const RULES = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false } as const;

const folder = mkdtempSync(join(tmpdir(), 'bloomery-bench-'));
const members = join(folder, 'members.txt');
const strangers = join(folder, 'strangers.txt');
const filter = join(folder, 'filter.bloom');

/** Distinct lines of 26 bytes: a tag, a scrambled number and the number itself. */
function writeLines(file: string, tag: string): void {
  const fd = openSync(file, 'w');
  const chunk = Buffer.alloc(LINE_BYTES * 10_000);
  for (let i = 0; i < KEYS; ) {
    let end = 0;
    for (; end < chunk.length && i < KEYS; i++, end += LINE_BYTES) {
      const scrambled = (Math.imul(i, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
      chunk.write(`${tag}${scrambled}-${String(i).padStart(13, '0')}\n`, end, 'latin1');
    }
    writeSync(fd, chunk, 0, end);
  }
  closeSync(fd);
}

interface EngineRound {
  readonly build: number;
  readonly count: number;
  readonly countAbsent: number;
}

/** Nanoseconds a key in this process, in one thread, for a filter that is sized for `capacity` keys at 1 %. */
async function engineRound(capacity: number): Promise<EngineRound> {
  const crew = createCrew(1);
  const station = { kernel: loadKernel(), seat: 0 };
  const shape = { ...bloom.geometry(bitsFor(capacity, 0.01)), hashes: 7 };
  const filter = createFilter(bloom, createPayload(shape, 1));
  const observer = {
    onUnreadable: (error: Error) => {
      throw error;
    },
  };
  const keys = { selection: WHOLE_LINES, rules: RULES };
  const timed = async (spec: TaskSpec, input: string) => {
    const start = performance.now();
    await runPass({ station, crew, spec, inputs: [input], observer });
    return ((performance.now() - start) * 1e6) / KEYS;
  };
  const ask: TaskSpec = {
    type: 'ask',
    ...keys,
    filter,
    print: undefined,
    lineBuffered: false,
    bySource: false,
    stopAt: undefined,
  };
  return {
    build: await timed({ type: 'fill', ...keys, filter, replay: false }, members),
    count: await timed(ask, members),
    countAbsent: await timed(ask, strangers),
  };
}

/** Reports the peak of a process on its descriptor 3 when it ends. */
const REPORT_PEAK = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,String(process.resourceUsage().maxRSS)))`;

/** Wall seconds and peak megabytes of a node process. */
function processRound(args: readonly string[]): { seconds: number; peak: number } {
  const start = performance.now();
  const { status, output, stderr } = spawnSync(process.execPath, [...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')}: ${stderr}`);
  return { seconds, peak: Number(output[3]) / 1024 };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function line(what: string, value: string, ratio = ''): void {
  console.log(`${what.padEnd(52)}${value.padStart(14)}${ratio.padStart(12)}`);
}

async function benchEngine(): Promise<void> {
  const small: EngineRound[] = [];
  const large: EngineRound[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    small.push(await engineRound(KEYS));
    large.push(await engineRound(10 * KEYS));
  }
  const pick = (rounds: readonly EngineRound[], what: keyof EngineRound) => median(rounds.map((round) => round[what]));
  for (const [what, label] of [
    ['build', 'build'],
    ['count', 'count, all present'],
    ['countAbsent', 'count, all absent'],
  ] as const) {
    const [s, l] = [pick(small, what), pick(large, what)];
    line(`${label}: filter for ${KEYS / 1e6}M keys`, `${s.toFixed(1)} ns/key`, `${(1000 / s).toFixed(0)}M/s`);
    line(`${label}: filter ten times as large`, `${l.toFixed(1)} ns/key`, `x${(l / s).toFixed(2)}`);
  }
}

function benchProcesses(): void {
  const runs: Readonly<Record<string, readonly string[]>> = {
    'node -e 0': ['-e', '0'],
    'query -e KEY (small filter)': [BLOOM, 'query', filter, '-e', 'key'],
    size: [BLOOM, 'size'],
    [`build -n ${KEYS / 1e6}M`]: [BLOOM, 'build', '-n', String(KEYS), members, '--force', '-o', filter],
    'build, sized from the input': [BLOOM, 'build', members, '--force', '-o', `${filter}2`],
    'query -c, all present': [BLOOM, 'query', '-c', filter, members],
    'query, all present': [BLOOM, 'query', filter, members],
    'query, all absent': [BLOOM, 'query', filter, strangers],
  };
  processRound([BLOOM, 'build', '-n', '1000', BLOOM, '-o', filter]);
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(runs))
      times.set(name, [...(times.get(name) ?? []), processRound(args).seconds]);
  }
  const bare = median(times.get('node -e 0') ?? []);
  for (const [name, seconds] of times) {
    const middle = median(seconds);
    const ratio = middle < 5 * bare ? `x${(middle / bare).toFixed(2)}` : `${(KEYS / middle / 1e6).toFixed(1)}M/s`;
    line(name, `${middle.toFixed(3)} s`, ratio);
  }
  for (const [name, args] of Object.entries(runs).filter(([name]) => name.startsWith('build'))) {
    const { peak } = processRound(['--import', REPORT_PEAK, ...args]);
    line(`${name}: peak memory beyond the filter`, `${(peak - bitsFor(KEYS, 0.01) / 8 / 2 ** 20).toFixed(0)} MiB`);
  }
}

console.log(
  `${cpus()[0]?.model}, node ${process.version}, ${KEYS / 1e6}M lines of ${LINE_BYTES} bytes, p = 1 %, medians of ${ROUNDS}\n`,
);
try {
  writeLines(members, 'key');
  writeLines(strangers, 'not');
  await benchEngine();
  benchProcesses();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
