import { BloomError, UnreadableInput } from '../errors.ts';
import { displayName } from '../io/look.ts';
import { headOf } from '../io/positioned.ts';
import { openSource, readWhole } from '../io/source.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { readSketch, SKETCH_LIMIT } from './file.ts';
import { isSketch } from './signature.ts';
import { estimateOf, type Sketch } from './sketch.ts';

/**
 * The sketch in a file. Throws an `input` error if the file cannot be read, and a `format` error if it is not a sketch.
 */
export async function sketchIn(file: string): Promise<Sketch> {
  const name = displayName(file);
  const source = openSource(file, 'filter');
  try {
    const bytes = await readWhole(source, SKETCH_LIMIT);
    if (bytes === undefined) throw new BloomError('format', `${name} is no HyperLogLog sketch: it is too long`);
    return readSketch(bytes, name);
  } finally {
    source.close();
  }
}

/** The estimated number of distinct keys of the sketch in a file. Throws the errors of `sketchIn`. */
export async function keysOf(file: string): Promise<Estimate> {
  return estimateOf(await sketchIn(file));
}

/** Whether a file begins like a sketch. False for a file that cannot be read: the error is reported when it is read. */
export function beginsAsSketch(name: string): boolean {
  try {
    const file = headOf(name, 'records');
    return file !== undefined && isSketch(file.head);
  } catch (error) {
    if (error instanceof UnreadableInput) return false;
    throw error;
  }
}
