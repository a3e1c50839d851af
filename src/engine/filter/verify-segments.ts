import { damaged } from '../../errors.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import { kindWithId } from '../../filters/registry.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { slicesOf } from '../../sizing/chain.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import { createMeter, type ProgressObserver } from '../input/input.ts';
import { type LoadedFilter, loadSegment } from './loaded-filter.ts';

/**
 * Reads every segment of a filter in a file, one at a time, and compares it with its checksum and with how full the
 * file says that it is. What came from a pipe was compared when it was loaded. Throws a `format` error that names the
 * first that differs.
 */
export async function verifySegments(
  kernel: Kernel,
  { name, header, store, kind }: LoadedFilter,
  observer: ProgressObserver = {},
): Promise<void> {
  if (store === undefined) return;
  const onVerified = createMeter(payloadBytes(header), observer);
  const [address, call] = [kernel.reserve(segmentBytes(header)), kernel.reserve(CALL_BYTES)];
  const ofKind = kindWithId(kind, name);
  let segment = 0;
  for (const { segments, k } of slicesOf(header)) {
    const work = ofKind.attach(kernel, { ...header, k }, { call, drafts: 0 });
    for (const end = segment + segments; segment < end; segment++) {
      loadSegment(ofKind, store, segment, { kernel, address });
      if (ofKind.packFill(work.fill(address)) !== store.fill[segment])
        throw damaged(name, `segment ${segment + 1} of ${header.segments} is not as full as its table says`);
      await onVerified(segmentBytes(header));
    }
  }
}
