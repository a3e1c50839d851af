// Mutants that no test can notice, each with its reason; they are not drawn again.

import type { Mutant } from './mutants.ts';

interface Equivalent {
  readonly file: string;
  /** The line of the source, without the blanks around it. */
  readonly before: string;
  /** What it becomes; left out where no change of the line can be noticed. */
  readonly after?: string;
  readonly reason: string;
}

const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/kernel/assembly/hashes/murmur3.ts',
    before: 'if (length >= 8) return load<u64>(end - 8) >> ((64 - 8 * count) as u64);',
    after: 'if (length >= 8) ;',
    reason: 'the loads below give the same bytes, more slowly',
  },
  {
    file: 'src/kernel/assembly/hashes/murmur3.ts',
    before: 'if (length >= 8) return load<u64>(end - 8) >> ((64 - 8 * count) as u64);',
    after: 'if (length < 8) return load<u64>(end - 8) >> ((64 - 8 * count) as u64);',
    reason: 'the bytes before a short key are there, and shifted out',
  },
  {
    file: 'src/kernel/assembly/bits.ts',
    before: 'let sum: u32 = 0;',
    reason: 'the sum only keeps the compiler from leaving the loads out',
  },
  {
    file: 'src/kernel/assembly/records/keys.ts',
    before: 'export let keyCount: u32 = 0;',
    reason: 'it is cleared before the first key',
  },
  {
    file: 'src/engine/input/scanner.ts',
    before: 'const size = keepRecords ? Math.max(PIECE, BYTES_PER_RECORD * recordLimit) : 2 * PIECE;',
    reason: 'a smaller buffer grows, and batches of another size are only slower',
  },
  {
    file: 'src/engine/input/chunks.ts',
    before:
      'const buffer = buffers.take(2 * bytes.length < length ? length : Math.min(4 * bytes.length, longest + 1));',
    after: 'const buffer = buffers.take(2 * bytes.length < length ? length : Math.min(5 * bytes.length, longest + 1));',
    reason: 'how fast a buffer grows for a long record is a matter of speed',
  },
  {
    file: 'src/engine/input/chunks.ts',
    before: 'from + length < Math.min(file.size, end) ? nextRecord(file, from + length, ends, longest) : end;',
    after: 'from - length < Math.min(file.size, end) ? nextRecord(file, from + length, ends, longest) : end;',
    reason: 'past the end of the file there is no next record either',
  },
  {
    file: 'src/engine/store/segment-visits.ts',
    before: 'const TOTAL_LIMIT = 2 ** 21;',
    reason: 'how many digests wait is a matter of speed',
  },
  {
    file: 'src/engine/threads/pass-state.ts',
    before: 'const batch = BYTES_PER_RECORD * records;',
    reason: 'parts of any length are printed in their order',
  },
  {
    file: 'src/engine/tasks/output.ts',
    before: 'const SMALL_BATCH = 2 ** 14;',
    reason: 'how many records are answered together is a matter of speed',
  },
  {
    file: 'src/formats/ranged-file.ts',
    before: 'if (first > PART_BITS_LIMIT || k > PART_PROBES_LIMIT)',
    after: 'if (first >= PART_BITS_LIMIT || k > PART_PROBES_LIMIT)',
    reason: 'the limit is odd, and filters begin at a multiple of eight bits',
  },
  {
    file: 'src/io/zlib.ts',
    before: 'const FRAME = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 9, 0, 0, 65];',
    reason: 'only newer Nodes decode zstd',
  },
];

export function isEquivalent({ file, before, after }: Mutant): boolean {
  return EQUIVALENT.some(
    (known) => known.file === file && known.before === before && (known.after === undefined || known.after === after),
  );
}
