import { BloomError } from '../errors.ts';
import { displayName } from '../io/look.ts';
import { openSource, readWhole } from '../io/source.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { readSketch, SKETCH_LIMIT } from './file.ts';
import { estimateOf, type Sketch } from './sketch.ts';

/** The sketch in a file. Throws an `input` error for one that cannot be read, a `format` error for what is none. */
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

/** The distinct keys of the sketch in a file, with the same errors. */
export async function keysOf(file: string): Promise<Estimate> {
  return estimateOf(await sketchIn(file));
}
