import { kindWithId } from '../../filters/registry.ts';
import { type Append, type Output, writeOutput } from '../../io/atomic-file.ts';
import { inLargePieces } from '../../io/large-pieces.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import { checksumAt, kernelChecksum } from '../checksum.ts';
import type { OnWritten, SegmentSupply } from '../format.ts';
import { seedOfTag, tagBytes } from '../tags.ts';
import { encodeHeader, type Header, headerChecksum } from './header.ts';
import { encodeTable, type TableEntry } from './segment-table.ts';

/** Writes a file atomically, one segment at a time, with all checksums. */
export async function writeFile(
  output: Output,
  kernel: Kernel,
  header: Header,
  supply: SegmentSupply,
  onWritten: OnWritten = () => {},
): Promise<void> {
  await writeOutput(output, (append) => appendFilter(append, kernel, header, supply, onWritten));
}

/** Appends the file of a filter to an output. */
export async function appendFilter(
  appendPiece: Append,
  kernel: Kernel,
  header: Header,
  supply: SegmentSupply,
  onWritten: OnWritten,
): Promise<void> {
  const { append, end } = inLargePieces(appendPiece);
  const head = await encodeHeader(header, kernelChecksum(kernel));
  const length = segmentBytes(header);
  const { isTagged } = header;
  const kind = kindWithId(header.kind, 'the filter');
  const entries: TableEntry[] = [];
  // The next segment is prepared while a segment is written. Errors of the write are noticed after that.
  const start = (bytes: Uint8Array, tag?: Uint8Array) => {
    const written = tag === undefined ? append(bytes) : append(bytes).then(() => append(tag));
    written.catch(() => {});
    return written;
  };
  let writing = start(head);
  let [together, written] = [0, 0];
  try {
    for (let i = 0; i < header.segments; i++) {
      const { kernel: holder, address, fill, isContinued, ...known } = await supply(i);
      const checksum = isTagged
        ? checksumAt(holder, address, length, seedOfTag(headerChecksum(head), i))
        : (known.checksum ?? checksumAt(holder, address, length));
      entries.push({ checksum, fill: kind.packFill(fill) });
      together += length;
      if (isContinued && !isTagged) continue;
      await writing;
      if (written > 0) await onWritten(written);
      writing = start(holder.bytes(address + length - together, together), isTagged && tagBytes(checksum));
      written = together;
      together = 0;
    }
  } finally {
    await writing;
  }
  await append(encodeTable(kernel, entries, headerChecksum(head)));
  await end();
}
