import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const SRC = new URL('../../src/', import.meta.url);

/** An integer, such as 12, 0x1f, 65_536, 2 ** 16, 1 << 18 or 64 / 8. */
const NUMBER = /^(0x[\da-f]+|[\d_]+)(?: (\*\*|<<|\/) (\d+))?$/;

/** The value of a constant in a source file of TypeScript or AssemblyScript. */
function constant(file: string, name: string): number {
  const source = readFileSync(new URL(file, SRC), 'utf8');
  const written = new RegExp(String.raw`^(?:export )?const ${name}(?:: \w+)? = (.*);$`, 'm').exec(source)?.[1];
  const [, first = '', operator, second] = NUMBER.exec(written ?? '') ?? [];
  if (first === '') throw new Error(`${file} gives no number to ${name}`);
  const left = Number(first.replaceAll('_', ''));
  const right = Number(second);
  if (operator === undefined) return left;
  return operator === '/' ? left / right : operator === '**' ? left ** right : left * 2 ** right;
}

/** Constants in src/kernel/assembly that must equal constants elsewhere; `by` converts to the other side's unit. */
const PAIRS = [
  { kernel: 'kinds/cuckoo-buckets.ts COPIES', other: 'sizing/cuckoo.ts COPIES' },
  { kernel: 'kinds/quotient.ts COPIES', other: 'sizing/quotient.ts COPIES' },
  { kernel: 'kinds/quotient-blocks.ts BLOCK_SLOTS', other: 'sizing/quotient.ts BLOCK_SLOTS' },
  { kernel: 'kinds/quotient-blocks.ts TAIL_SLOTS', other: 'sizing/quotient.ts TAIL_SLOTS' },
  { kernel: 'kinds/counting.ts FULL', other: 'sizing/counting.ts COUNTER_BITS', by: (bits: number) => 2 ** bits - 1 },
  {
    kernel: 'kinds/blocked.ts BLOCK_BYTES_LOG2',
    other: 'sizing/blocked.ts BLOCK_BITS',
    by: (bits: number) => Math.log2(bits / 8),
  },
  { kernel: 'kinds/bloom.ts GROUP', other: 'filters/parameters.ts GROUP' },
  { kernel: 'kinds/static.ts TRIALS', other: 'filters/static.ts TRIALS_LIMIT' },
  { kernel: 'kinds/static.ts HEAD', other: 'sizing/ribbon.ts HEAD_BITS', by: (bits: number) => bits / 8 },
  { kernel: 'kinds/static.ts HEAD', other: 'sizing/fuse.ts HEAD_BITS', by: (bits: number) => bits / 8 },
  { kernel: 'kinds/slices.ts CHUNK', other: 'filters/slices.ts CHUNK' },
  { kernel: 'kinds/drafts.ts LIST', other: 'filters/drafts.ts DRAFT_HEAD_BYTES' },
  { kernel: 'digests/hyperloglog.ts INDEX_BITS', other: 'sizing/cardinality.ts SKETCH_REGISTERS', by: Math.log2 },
  {
    kernel: 'systems/bit-array.ts PAGE_SHIFT',
    other: 'engine/store/bit-array-payload.ts PAGE_BYTES',
    by: (bytes: number) => Math.log2(8 * bytes),
  },
  { kernel: 'answers/lines.ts TEXT_BYTES', other: 'engine/tasks/line-printer.ts TEXT_BYTES' },
];

describe('the constants of the kernel and of the program are equal', () => {
  test.each(PAIRS)('$kernel, $other', ({ kernel, other, by = (value: number) => value }) => {
    const [kernelFile = '', kernelName = ''] = kernel.split(' ');
    const [otherFile = '', otherName = ''] = other.split(' ');
    expect(constant(`kernel/assembly/${kernelFile}`, kernelName)).toBe(by(constant(otherFile, otherName)));
  });
});
