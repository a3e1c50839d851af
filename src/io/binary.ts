import { bears, type Signature, signatureOf } from './signature.ts';

interface BinaryFile {
  /** As in "it is a zip archive". */
  readonly name: string;
  readonly signature: Signature;
  /** Bytes before the signature. */
  readonly at?: number;
}

/** Files that people name by mistake in the place of text, by their signatures as file(1) has them. */
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

/** Fewer bytes than this may be a key. */
const LEAST_BYTES = 256;

/** Share of control characters from which a file counts as binary: text has hardly any, random bytes have a tenth. */
const CONTROL_SHARE = 0.03;

/** What a binary file is, by its first bytes, as in "a zip archive"; undefined for text, and for keys of any few bytes. */
export function binaryOf(head: Uint8Array): string | undefined {
  const known = BINARY_FILES.find(({ signature, at = 0 }) => bears(head.subarray(at), signature));
  if (known !== undefined) return known.name;
  const controls = head.reduce((count, byte) => (isControl(byte) ? count + 1 : count), 0);
  const isBinary = head.length >= LEAST_BYTES && head.includes(0) && controls >= CONTROL_SHARE * head.length;
  return isBinary ? 'a binary file' : undefined;
}

/** Whether text has no use for a byte. NUL may end records. */
function isControl(byte: number): boolean {
  return (byte >= 0x01 && byte <= 0x08) || (byte >= 0x0e && byte <= 0x1f && byte !== 0x1b) || byte === 0x7f;
}
