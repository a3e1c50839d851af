import type { Output } from '../io/atomic-file.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { OwnDescription } from './description.ts';
import type { OnWritten, SegmentSupply } from './format.ts';
import { FORMATS } from './registry.ts';

/** Writes a filter to a file of its format, atomically, one segment at a time. Throws `output` errors. */
export async function writeFilter(
  output: Output,
  kernel: Kernel,
  description: OwnDescription,
  supply: SegmentSupply,
  onWritten?: OnWritten,
): Promise<void> {
  const [own] = FORMATS;
  await own.write(output, kernel, description, supply, onWritten);
}
