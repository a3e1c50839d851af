import { damaged } from '../errors.ts';
import { type Output, writeOutput } from '../io/atomic-file.ts';
import { buffered } from '../io/buffered.ts';
import { putBack } from '../io/head.ts';
import { displayName } from '../io/look.ts';
import { bears } from '../io/signature.ts';
import { type ByteSource, openSource, readFully } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { headerOf, openOwn } from './bloomery/bloomery.ts';
import {
  decodeStateHead,
  encodeStateHead,
  FIXED_BYTES,
  STATE_MAGIC,
  type StateHead,
  stateHeadBytes,
} from './bloomery/state-head.ts';
import { appendFilter } from './bloomery/writer.ts';
import { kernelChecksum } from './checksum.ts';
import type { OwnDescription } from './description.ts';
import { ownFilters } from './follow.ts';
import type { OnWritten, SegmentedFile, SegmentSupply } from './format.ts';

export type { StateHead } from './bloomery/state-head.ts';

/** A filter of a state, with its segments. */
export interface StateFilter {
  readonly description: OwnDescription;
  readonly supply: SegmentSupply;
}

/** An open state. Its filters are in the order of windows and, in each window, of sightings. */
export interface OpenedState {
  readonly head: StateHead;
  /** Each filter is open until the next is requested. */
  readonly filters: AsyncGenerator<SegmentedFile>;
}

/** Whether one filter is enough. The state is then the file of that filter. */
function isOne({ sightings, windows }: StateHead): boolean {
  return sightings === 1 && windows === undefined;
}

/** Opens a state of one or several filters. Throws `input` and `format` errors. */
export async function openState(file: string, kernel: Kernel): Promise<OpenedState> {
  const source = buffered(openSource(file, 'filter'));
  try {
    const name = displayName(file);
    const fixed = new Uint8Array(FIXED_BYTES);
    const begun = fixed.subarray(0, await readFully(source, fixed));
    if (!bears(begun, [...STATE_MAGIC]))
      return { head: { sightings: 1, windows: undefined }, filters: onlyFilter(putBack(begun, source), kernel) };
    const head = await readHead(source, begun, name, kernel);
    return { head, filters: filtersOf(head, source, name, kernel) };
  } catch (error) {
    source.close();
    throw error;
  }
}

async function readHead(source: ByteSource, begun: Uint8Array, name: string, kernel: Kernel): Promise<StateHead> {
  if (begun.length < FIXED_BYTES) throw damaged(name, 'it ends within its head');
  const bytes = new Uint8Array(stateHeadBytes(begun, name));
  bytes.set(begun);
  const rest = bytes.subarray(FIXED_BYTES);
  if ((await readFully(source, rest)) < rest.length) throw damaged(name, 'it ends within its head');
  return decodeStateHead(bytes, name, kernelChecksum(kernel));
}

async function* onlyFilter(source: ByteSource, kernel: Kernel): AsyncGenerator<SegmentedFile> {
  const file = await openOwn(source, kernel);
  yield file;
  file.close();
}

async function* filtersOf(
  head: StateHead,
  source: ByteSource,
  name: string,
  kernel: Kernel,
): AsyncGenerator<SegmentedFile> {
  const wanted = head.sightings * (head.windows?.numbers.length ?? 1);
  const from = FIXED_BYTES + 8 * ((head.windows?.numbers.length ?? 1) + 1);
  let found = 0;
  for await (const file of ownFilters({ source, name, from }, kernel)) {
    if (++found > wanted) throw damaged(name, `it has more bytes after its ${wanted} filters`);
    yield file;
  }
  if (found < wanted) throw damaged(name, `it ends after ${found} of its ${wanted} filters`);
}

/** Writes a state atomically, one segment at a time. Throws `output` errors. */
export async function writeState(
  output: Output,
  kernel: Kernel,
  head: StateHead,
  filters: Iterable<StateFilter>,
  onWritten: OnWritten = () => {},
): Promise<void> {
  await writeOutput(output, async (append) => {
    if (!isOne(head)) await append(await encodeStateHead(head, kernelChecksum(kernel)));
    for (const { description, supply } of filters)
      await appendFilter(append, kernel, headerOf(description), supply, onWritten);
  });
}
