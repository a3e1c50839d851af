import { BloomError } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { descriptorSink, type Sink } from '../../io/sink.ts';
import { loadKernel } from '../../kernel/kernel.ts';
import { estimateFromSketch, SKETCH_REGISTERS, upperBound } from '../../sizing/cardinality.ts';
import { rowsFor } from '../../sizing/signatures.ts';
import { contentChecksum } from '../input/content-checksum.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { openRecords } from '../input/open-records.ts';
import { createScanner } from '../input/scanner.ts';
import type { Found } from '../input/scanning.ts';
import { NOTHING, type Tally } from './tally.ts';
import type { SignSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/**
 * Slots of the set of a file's distinct digests, at most: 64 MiB. Half of them are used. A file with more keys is read twice: once to
 * estimate their number, and once to set their bits.
 */
const SLOTS_LIMIT = 2 ** 23;

/** Slots of a set that is sparse, at most: it fits in the cache of a core, and most digests find their slot empty. */
const SPARSE_SLOTS = 2 ** 14;

/** Rows of a signature that is made in a byte per row, at most. They fit in the cache of a core. */
const MARKED_ROWS = 2 ** 16;

const DIGEST_BYTES = 8;

/** Makes the signature of each source, which is one file, and appends it to the thread's temporary file. */
export function openSign(
  { kernel, threadIndex }: ThreadContext,
  { selection, rules, k, targetFpr, hasChecksums, outputs, slotsLimit = SLOTS_LIMIT }: SignSpec,
): Task {
  const file = outputs[threadIndex];
  if (file === undefined) throw new Error('the thread has no temporary file');
  const output = gathered(descriptorSink(file.fd, file.name));
  const signing = createSigning(k, targetFpr, slotsLimit);
  const checking = loadKernel();
  let note = signing.gather;
  const take = ({ address, count }: Digests) => {
    if (count > 0) note(kernel.bytes(address, DIGEST_BYTES * count), count);
  };
  const scanner = createScanner(kernel, { selection, rules: [rules] }, { keys: take, lastKeys: take });
  let checksum: bigint | undefined;
  const beginSignature = () => {
    note = signing.gather;
    signing.begin();
  };
  /** The signature of the scanned keys; undefined if they must be scanned again. */
  const signature = (name: string) => {
    scanner.endBatch();
    const made = signing.signature(name);
    if (made === undefined) note = signing.add;
    return made;
  };
  const signatureAgain = () => {
    scanner.endBatch();
    return signing.whole();
  };
  const written = ({ records, keys: found }: Found, { bytes, rows, keys, ones }: Signature): Tally => {
    const signed = { thread: threadIndex, at: output.append(bytes), rows, keys, ones, checksum };
    // Properties that are named are set faster than those of a copy, which counts for small files.
    return { records, keys: found, positives: 0, elsewhere: 0, signed };
  };
  const { scanText } = scanner;
  return {
    begin(name) {
      // If the file changes before its keys are read, the next update notices.
      checksum = hasChecksums ? contentChecksum(checking, name) : undefined;
    },
    async scan(source, { name = '' }, onRead) {
      beginSignature();
      try {
        const found = await scanner.scan(source, onRead);
        const made = signature(name);
        if (made !== undefined) return written(found, made);
        const again = await openRecords(name, selection);
        await scanner.scan(again).finally(() => again.close());
        return written(found, signatureAgain());
      } catch (error) {
        // Waiting keys of this file must not count as keys of the next file.
        note = () => {};
        scanner.endBatch();
        throw error;
      }
    },
    scanText:
      scanText &&
      ((name, text) => {
        beginSignature();
        const found = scanText(name, text);
        const made = signature(name);
        if (made !== undefined) return written(found, made);
        scanText(name, text);
        return written(found, signatureAgain());
      }),
    finish() {
      output.flush();
      return { type: 'tally', ...NOTHING };
    },
  };
}

/** Bytes that are written at once. */
const WRITTEN_BYTES = 2 ** 18;

/** Gathers signatures: a system call for each of them would take as long as all other work on a small file. */
function gathered(sink: Sink) {
  const buffer = new Uint8Array(WRITTEN_BYTES);
  let [begin, end] = [0, 0];
  const flush = () => {
    if (end > 0) sink.write(buffer.subarray(0, end));
    begin += end;
    end = 0;
  };
  return {
    flush,
    /** Returns the offset of the bytes in the file. */
    append(bytes: Uint8Array): number {
      if (end + bytes.length > buffer.length) flush();
      const at = begin + end;
      if (bytes.length > buffer.length) {
        sink.write(bytes);
        begin += bytes.length;
      } else {
        buffer.set(bytes, end);
        end += bytes.length;
      }
      return at;
    },
  };
}

/** The bits of a file, and the facts about them. */
interface Signature {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** The number of distinct keys, or slightly fewer. */
  readonly keys: number;
  readonly ones: number;
}

/** Makes one signature after the other. */
interface Signing {
  /** Begins a file. */
  begin(): void;
  /** Accepts digests of the file. */
  gather(digests: Uint8Array, count: number): void;
  /** The signature of the digests. Undefined if there were too many: all of them must then be passed to `add` again. */
  signature(name: string): Signature | undefined;
  add(digests: Uint8Array, count: number): void;
  /** The signature of the digests that `add` got. */
  whole(): Signature;
}

function createSigning(k: number, targetFpr: number, slotsLimit: number): Signing {
  // This kernel has its own memory: the memory of the scanner may grow while a set grows.
  const kernel = loadKernel();
  const { exports } = kernel;
  const digestsAt = kernel.reserve(DIGEST_BYTES * VISIT_LIMIT);
  const registers = kernel.reserve(SKETCH_REGISTERS);
  const marks = kernel.reserve(MARKED_ROWS + 15);
  const base = kernel.reserve(0);
  let set = { address: base, slots: 0 };
  let held = 0;
  /** Batches of digests that the file has had. */
  let batches = 0;
  let isTooLarge = false;
  let made = { address: 0, rows: 0, keys: 0 };
  const enlarge = (digests: number): void => {
    let { slots } = set;
    const wanted = 4 * digests <= SPARSE_SLOTS ? 4 * digests : 2 * digests;
    while (slots < wanted) slots = Math.max(2, 2 * slots);
    const larger = { address: kernel.reserve(DIGEST_BYTES * slots), slots };
    held = exports.addToSet(larger.address, slots, 0, set.address, set.slots, 1);
    set = larger;
  };
  const reserveSignature = (name: string, keys: number): void => {
    const rows = rowsFor(keys, k, targetFpr);
    if (rows === undefined)
      throw new BloomError(
        'capacity',
        `${displayName(name)} has too many keys for an index`,
        'divide the file, or build a filter of it',
      );
    made = { address: kernel.reserve(Math.ceil(rows / 8)), rows, keys };
  };
  const whole = (): Signature => {
    const length = Math.ceil(made.rows / 8);
    const ones = Number(exports.popcount(made.address, length));
    return { rows: made.rows, keys: made.keys, ones, bytes: kernel.bytes(made.address, length) };
  };
  return {
    begin() {
      kernel.release(base);
      set = { address: base, slots: 0 };
      held = 0;
      batches = 0;
      isTooLarge = false;
    },
    gather(digests, count) {
      batches++;
      kernel.bytes(digestsAt, digests.length).set(digests);
      if (!isTooLarge && 2 * (held + count) > slotsLimit) {
        isTooLarge = true;
        exports.clear(registers, SKETCH_REGISTERS);
        exports.hyperLogLogAdd(registers, set.address, set.slots);
      }
      if (isTooLarge) return exports.hyperLogLogAdd(registers, digestsAt, count);
      if (2 * (held + count) > set.slots) enlarge(held + count);
      held = exports.addToSet(set.address, set.slots, held, digestsAt, count, 0);
    },
    signature(name) {
      if (isTooLarge) {
        kernel.release(base);
        const estimate = estimateFromSketch(kernel.bytes(registers, SKETCH_REGISTERS));
        reserveSignature(name, Math.ceil(upperBound(estimate)));
        return undefined;
      }
      reserveSignature(name, held);
      // The distinct digests of a single batch are still there.
      const distinct = batches === 1 ? digestsAt : set.address;
      if (batches > 1) exports.listSet(set.address, set.slots);
      if (made.rows <= MARKED_ROWS) exports.signSmall(distinct, held, made.rows, k, made.address, marks);
      else exports.sign(distinct, held, made.rows, k, made.address);
      return whole();
    },
    add(digests, count) {
      kernel.bytes(digestsAt, digests.length).set(digests);
      exports.sign(digestsAt, count, made.rows, k, made.address);
    },
    whole,
  };
}
