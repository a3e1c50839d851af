import type { TemporaryFile } from '../../io/temporary-file.ts';
import type { FileIndex } from './open-index.ts';
import { groupKernel, rowsTogether, type SignedFile } from './write-index.ts';

/**
 * Appends signatures of an index to a temporary file, those of the files whose names are wanted. Reads only groups that have such files.
 * Throws `input` and `format` errors.
 */
export function copySignatures(
  index: FileIndex,
  isWanted: (name: string) => boolean,
  into: TemporaryFile,
  onCopied: (file: SignedFile) => void,
): void {
  const kernel = groupKernel();
  for (const group of index.groups) {
    const { rows, columns } = group;
    const files = index.filesOf(group).map((file) => ({ ...index.file(file), checksum: index.checksum(file) }));
    if (!files.some(({ name }) => isWanted(name))) continue;
    const begin = kernel.reserve(0);
    const stride = Math.ceil(rows / 8);
    const signatures = kernel.reserve(stride * columns);
    const together = rowsTogether(columns);
    const laid = kernel.reserve(Math.ceil((together * columns) / 8) + 1);
    for (let from = 0; from < rows; from += together) {
      const to = Math.min(rows, from + together);
      const bytes = index.rows(group, from, to);
      kernel.bytes(laid, bytes.length).set(bytes);
      kernel.exports.liftRows(laid, columns, from, to, signatures, stride);
    }
    for (const [column, file] of files.entries()) {
      if (!isWanted(file.name)) continue;
      const at = into.append(kernel.bytes(signatures + stride * column, stride));
      onCopied({ ...file, rows, fd: into.fd, at });
    }
    kernel.release(begin);
  }
}
