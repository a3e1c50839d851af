import { bears, type Signature, signatureOf } from './signature.ts';

interface BinaryFile {
  /** The words of a message, as in "it is a zip archive". */
  readonly name: string;
  readonly signature: Signature;
  /** Bytes before the signature. */
  readonly at?: number;
}

/** Files that users name by mistake instead of text. The signatures are those of file(1). */
const BINARY_FILES: readonly BinaryFile[] = [
  { name: 'a zip archive', signature: signatureOf('PK\x03\x04') },
  { name: 'a tar archive', signature: signatureOf('ustar'), at: 257 },
  { name: 'a 7z archive', signature: signatureOf('7z\xbc\xaf\x27\x1c') },
  { name: 'a RAR archive', signature: signatureOf('Rar!\x1a\x07') },
  { name: 'a PDF document', signature: signatureOf('%PDF-') },
  { name: 'a PNG picture', signature: signatureOf('\x89PNG\r\n\x1a\n') },
  { name: 'a JPEG picture', signature: signatureOf('\xff\xd8\xff') },
  { name: 'a program (ELF)', signature: signatureOf('\x7fELF') },
  { name: 'a SQLite database', signature: signatureOf('SQLite format 3\0') },
];

/** A shorter file may be a key. */
const LEAST_BYTES = 256;

/**
 * The share of control characters from which a file counts as binary. Text has almost none; random bytes have a tenth.
 */
const CONTROL_SHARE = 0.03;

/**
 * The words for a binary file, from its first bytes, such as "a zip archive". Undefined for text and for a few bytes,
 * which may be any key.
 */
export function binaryOf(head: Uint8Array): string | undefined {
  const known = BINARY_FILES.find(({ signature, at = 0 }) => bears(head, signature, at));
  if (known !== undefined) return known.name;
  if (head.length < LEAST_BYTES || !head.includes(0)) return undefined;
  const controls = head.reduce((count, byte) => (isControl(byte) ? count + 1 : count), 0);
  return controls >= CONTROL_SHARE * head.length ? 'a binary file' : undefined;
}

/** Whether text never has this byte. NUL is not such a byte, because it may end records. */
function isControl(byte: number): boolean {
  return (byte >= 0x01 && byte <= 0x08) || (byte >= 0x0e && byte <= 0x1f && byte !== 0x1b) || byte === 0x7f;
}
