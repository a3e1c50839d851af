import { BloomError } from '../errors.ts';
import { type ByteSource, displayName, openSource, readFully } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../sizing/geometry.ts';
import { type Checksum, kernelChecksum, portableChecksum } from './checksum.ts';
import { decodeHeader, fileBytes, HEADER_BYTES, type Header, headerChecksum } from './header.ts';

/** A filter file that is read from start to end, one segment at a time. */
export interface FilterReader {
  readonly name: string;
  readonly header: Header;
  /** Reads the next segment to an address in kernel memory. */
  readSegment(kernel: Kernel, address: number): Promise<void>;
  /** Checks everything that was read against the table of checksums, and that nothing follows it. */
  finish(kernel: Kernel): Promise<void>;
  close(): void;
}

/** Opens a filter and reads its header. The size that the header claims is checked before anything is allocated. */
export async function openFilter(file: string, checksum: Checksum): Promise<FilterReader> {
  const name = displayName(file);
  const source = openSource(file);
  try {
    return await readHeader(source, name, checksum);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The header of a filter, without its payload. */
export async function readHeaderOf(file: string): Promise<Header> {
  const reader = await openFilter(file, portableChecksum);
  reader.close();
  return reader.header;
}

async function readHeader(source: ByteSource, name: string, checksum: Checksum): Promise<FilterReader> {
  const bytes = new Uint8Array(HEADER_BYTES);
  const header = await decodeHeader(bytes.subarray(0, await readFully(source, bytes)), name, checksum);
  const expected = fileBytes(header);
  const damaged = (what: string) =>
    new BloomError('format', `${name} is damaged: ${what}`, 'restore it from a copy, or build it again');
  if (source.size !== undefined && source.size !== expected) {
    throw damaged(`it has ${source.size} bytes where its header promises ${expected}`);
  }
  const checksums: bigint[] = [];
  return {
    name,
    header,
    async readSegment(kernel, address) {
      const length = segmentBytes(header);
      const read = await readFully(source, kernel.bytes(address, length));
      if (read !== length) throw damaged(`it ends within segment ${checksums.length + 1} of ${header.segments}`);
      checksums.push(BigInt.asUintN(64, kernel.run.xxh64(address, length, 0n)));
    },
    async finish(kernel) {
      const table = kernel.bytes(kernel.reserve(8 * header.segments), 8 * header.segments);
      const trailer = new Uint8Array(8);
      if ((await readFully(source, table)) !== table.length || (await readFully(source, trailer)) !== trailer.length) {
        throw damaged('it ends within its table of checksums');
      }
      const seal = kernel.run.xxh64(table.byteOffset, table.length, headerChecksum(bytes));
      if (new DataView(trailer.buffer).getBigUint64(0, true) !== BigInt.asUintN(64, seal)) {
        throw damaged('its table of checksums does not match its header');
      }
      const view = new DataView(table.buffer, table.byteOffset);
      const wrong = checksums.findIndex((checksum, i) => view.getBigUint64(8 * i, true) !== checksum);
      if (wrong >= 0) throw damaged(`segment ${wrong + 1} of ${header.segments} does not match its checksum`);
      if ((await readFully(source, trailer)) !== 0) throw damaged('more bytes follow its end');
    },
    close: () => source.close(),
  };
}

/** A filter whose payload lies in kernel memory, verified. */
export interface LoadedFilter {
  readonly name: string;
  readonly header: Header;
  readonly address: number;
}

/** Loads and verifies a whole filter. Throws `input`, `format` and `memory` errors. */
export async function loadFilter(kernel: Kernel, file: string): Promise<LoadedFilter> {
  const reader = await openFilter(file, kernelChecksum(kernel));
  try {
    const address = kernel.reserve(payloadBytes(reader.header));
    for (let i = 0; i < reader.header.segments; i++) {
      await reader.readSegment(kernel, address + i * segmentBytes(reader.header));
    }
    await reader.finish(kernel);
    return { name: reader.name, header: reader.header, address };
  } finally {
    reader.close();
  }
}
