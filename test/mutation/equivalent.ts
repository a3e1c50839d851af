// Mutants that no test can notice, each with the reason. They are not drawn again.

import type { Mutant } from './mutants.ts';

export interface Equivalent {
  readonly file: string;
  /** The line of the source, or a part of it. */
  readonly before: string;
  /** The line or the part after the change; left out if no change of the line can be noticed. */
  readonly after?: string;
  readonly reason: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/kernel/assembly/hashes/loads.ts',
    before: 'if (length >= 8) return load<u64>(end - 8) >> ((64 - 8 * count) as u64);',
    after: 'if (length >= 8) ;',
    reason: 'the loads below give the same bytes, more slowly',
  },
  {
    file: 'src/kernel/assembly/hashes/loads.ts',
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
    before:
      'const to = from + length < Math.min(file.size, end) ? nextRecord(file, from + length, ends, longest) : end;',
    after:
      'const to = from - length < Math.min(file.size, end) ? nextRecord(file, from + length, ends, longest) : end;',
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
  {
    file: 'src/formats/bit-array-file.ts',
    before: 'if (k < 0 || k > PROBES_LIMIT)',
    after: 'if (k < 1 || k > PROBES_LIMIT)',
    reason: '0 hashes are an error of their own before this',
  },
  {
    file: 'src/sizing/scalable.ts',
    before: 'const { segments, k } = chain.slices[index] ?? { segments: 1, k: 1 };',
    after: 'const { segments, k } = chain.slices[index] ?? { segments: 0, k: 1 };',
    reason: 'there is a slice at the index',
  },
  {
    file: 'src/filters/slices.ts',
    before: 'words.set([addresses[i] ?? 0, 32 - Math.log2(segments), k], SLICE_WORDS * i);',
    after: 'words.set([addresses[i] ?? (-1), 32 - Math.log2(segments), k], SLICE_WORDS * i);',
    reason: 'each slice has an address',
  },
  {
    file: 'src/engine/store/gather.ts',
    before: 'if (free.length === 0) await mergeFirst();',
    after: 'if (free.length === 1) await mergeFirst();',
    reason: 'one piece fewer is read ahead, which is only slower',
  },
  {
    file: 'src/formats/columns.ts',
    before: 'const { bits = new Uint8Array(0) } = filters[array] ?? {};',
    after: 'const { bits = new Uint8Array(1) } = filters[array] ?? {};',
    reason: 'each array has bits',
  },
  {
    file: 'src/engine/store/one-key.ts',
    before: 'return length < 0 ? undefined : hasKey(address, digests.address, length, seedLow, seedHigh) > 0;',
    after: 'return length < 1 ? undefined : hasKey(address, digests.address, length, seedLow, seedHigh) > 0;',
    reason: 'an empty key goes the general way, which is only slower',
  },
  {
    file: 'src/start.ts',
    before: "if ((flag !== '--version' && flag !== '-V') || others.length > 0) return false;",
    after: "if ((flag !== '--version' && flag !== '-V') || others.length > (-1)) return false;",
    reason: 'the whole program prints the same version, more slowly',
  },
  {
    file: 'src/formats/tables/footer.ts',
    before: 'return base === 0 ? 0 : (base ^ ((offset % 2 ** 32) + Math.floor(offset / 2 ** 32))) >>> 0;',
    after: 'return base === 0 ? 0 : (base ^ ((offset % 3 ** 32) + Math.floor(offset / 2 ** 32))) >>> 0;',
    reason: 'the sum is taken modulo 2^32 anyway',
  },
  {
    file: 'src/engine/store/paged-memory.ts',
    before: 'piecesEach: 0,',
    after: 'piecesEach: (-1),',
    reason: 'it is read only if there is more than one memory',
  },
  {
    file: 'src/sizing/slots.ts',
    before: 'const clamped = (fingerprint: number) => Math.min(Math.max(1, fingerprint), fingerprintLimit);',
    after: 'const clamped = (fingerprint: number) => Math.min(Math.max(0, fingerprint), fingerprintLimit);',
    reason: 'the least fingerprint that is looked for is 1',
  },
  {
    file: 'src/kernel/assembly/answers/answers.ts',
    before: 'for (; i + 8 <= end; i += 8) {',
    after: 'for (; i + 9 <= end; i += 8) {',
    reason: 'the loop below handles the last keys one by one',
  },
  {
    file: 'src/kernel/assembly/records/separators.ts',
    before: 'const character = ((lead & 7) << 18) | (second << 12) | (third << 6) | fourth;',
    after: 'const character = ((lead & 7) << 17) | (second << 12) | (third << 6) | fourth;',
    reason: 'a character of such a lead is above the table with either',
  },
  {
    file: 'src/kernel/assembly/encodings/decimals.ts',
    before: 'const HIGH_LIMIT: u64 = 0x0ccccccccccccccc;',
    after: 'const HIGH_LIMIT: u64 = 922337203685477581;',
    reason: 'numbers of more than 64 bits are refused for their size',
  },
  {
    file: 'src/kernel/assembly/encodings/floats.ts',
    before: 'const NO_NUMBER: u32 = 0;',
    after: 'const NO_NUMBER: u32 = (-1);',
    reason: 'it is compared with itself, and with two others',
  },
  {
    file: 'src/kernel/assembly/hashes/md5.ts',
    before: 'for (let i: u32 = 48; i < 64; i += 4) {',
    after: 'for (let i: u32 = 48; i < 63; i += 4) {',
    reason: 'the last step begins at 60',
  },
  {
    file: 'src/engine/input/key-encoding.ts',
    before: 'kernel.reserve(4 * (VISIT_LIMIT + 1));',
    after: 'kernel.reserve(5 * (VISIT_LIMIT + 1));',
    reason: 'more memory is reserved than is used',
  },
  {
    file: 'src/formats/tables/footer.ts',
    before: 'fields.setUint32(5, 0, true);',
    after: 'fields.setUint32(5, 0, false);',
    reason: '0 has the same bytes in both orders',
  },
  {
    file: 'src/engine/tasks/memory-of-keys.ts',
    before: 'const LONGEST_TIMER = 2 ** 31 - 1;',
    after: 'const LONGEST_TIMER = 1 ** 31 - 1;',
    reason: 'more timers are set, one after the other',
  },
];

export function isOf(mutant: Mutant, { file, before, after = '' }: Equivalent): boolean {
  return mutant.file === file && mutant.before.includes(before) && mutant.after.includes(after);
}

export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some((known) => isOf(mutant, known));
}
