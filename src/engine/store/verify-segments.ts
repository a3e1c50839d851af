import { damaged } from '../../errors.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { slicesOf } from '../../sizing/chain.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import { createMeter, type ProgressObserver } from '../input/progress.ts';
import type { LoadedSegments } from './loaded.ts';
import { loadSegment } from './shared-segments.ts';

/**
 * Reads every segment of a filter in a file, one at a time, and compares it with its checksum and with how full the
 * file says that it is. What came from a pipe was compared when it was loaded. Throws a `format` error that names the
 * first that differs.
 */
export async function verifySegments(
  kernel: Kernel,
  { name, description, store: { stored }, fills }: Pick<LoadedSegments, 'name' | 'description' | 'store' | 'fills'>,
  observer: ProgressObserver = {},
): Promise<void> {
  if (stored === undefined) return;
  const { kind, shape } = description;
  const onVerified = createMeter(payloadBytes(shape), observer);
  const [address, call] = [kernel.reserve(segmentBytes(shape)), kernel.reserve(CALL_BYTES)];
  const packed = fills().map((fill) => kind.packFill(fill));
  let segment = 0;
  for (const { segments, k } of slicesOf(shape)) {
    const work = kind.attach(kernel, { ...shape, k }, { call, drafts: 0 });
    for (const end = segment + segments; segment < end; segment++) {
      loadSegment(kind, stored, segment, { kernel, address });
      if (kind.packFill(work.fill(address)) !== packed[segment])
        throw damaged(name, `segment ${segment + 1} of ${shape.segments} is not as full as its table says`);
      await onVerified(segmentBytes(shape));
    }
  }
}
