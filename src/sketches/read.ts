import { BloomError } from '../errors.ts';
import { displayName } from '../io/look.ts';
import { openSource, readWhole } from '../io/source.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { readSketch, SKETCH_LIMIT } from './file.ts';
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
