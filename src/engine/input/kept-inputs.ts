import { UnreadableInput } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { openTemporaryFile, type TemporaryFile, untilCounted } from '../../io/temporary-file.ts';
import type { RecordSource } from './header.ts';
import { areRegular, type Input, type Observer } from './input.ts';
import type { KeySelection } from './key-selection.ts';
import { openRecords } from './open-records.ts';
import { createMeter, type Meter } from './progress.ts';

/** Inputs that can be read twice. */
export interface KeptInputs {
  readonly inputs: readonly Input[];
  close(): void;
}

/** The inputs; an input that can be read only once is copied to a temporary file, as far as it can be read. Read errors are reported. */
export async function keptInputs(
  inputs: readonly Input[],
  selection: KeySelection,
  observer: Observer,
): Promise<KeptInputs> {
  const files: TemporaryFile[] = [];
  const close = () => {
    for (const file of files) file.close();
  };
  const meter = createMeter(undefined, observer);
  const kept: Input[] = [];
  try {
    for (const input of inputs) {
      if (typeof input !== 'string' || areRegular([input])) kept.push(input);
      else {
        const file = openTemporaryFile('records', untilCounted());
        files.push(file);
        const { size, fields } = await keep(input, selection, { file, meter, observer });
        kept.push({ kept: { name: displayName(input), content: 'records', handle: file.fd, size }, fields });
      }
    }
    return { inputs: kept, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Bytes per read. */
const PIECE_BYTES = 2 ** 18;

/** The destination of copied records. */
interface Keeping {
  readonly file: TemporaryFile;
  readonly meter: Meter;
  readonly observer: Observer;
}

/** Copies the records of an input. Returns their size in bytes, and the fields of the wanted columns. */
async function keep(
  name: string,
  selection: KeySelection,
  { file, meter, observer }: Keeping,
): Promise<{ size: number; fields: RecordSource['fields'] }> {
  const piece = new Uint8Array(PIECE_BYTES);
  let isBegun = false;
  let size = 0;
  let fields: RecordSource['fields'];
  try {
    const source = await openRecords(name, selection);
    isBegun = true;
    fields = source.fields;
    try {
      for (;;) {
        const bytes = source.read(piece) ?? (await source.wait(piece));
        if (bytes === 0) break;
        file.append(piece.subarray(0, bytes));
        size += bytes;
        await meter(bytes);
      }
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    observer.onUnreadable(error, isBegun);
  }
  return { size, fields };
}
