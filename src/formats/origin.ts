/** The records that a slice or a part of a filter was built of. */
export interface Origin {
  /** Slice `slice` of `slices` of the inputs, counted from 1; 1 of 1 for all of them. */
  readonly slice: number;
  readonly slices: number;
  /** A fingerprint of the inputs: equal for the same files, read in the same way. */
  readonly inputs: bigint;
}

/** "slice 3 of 8"; empty for all inputs. */
export function describeSlice(origin: Origin | undefined): readonly string[] {
  return origin === undefined || origin.slices === 1 ? [] : [`slice ${origin.slice} of ${origin.slices}`];
}

/** The fingerprint as text. */
export function fingerprintText({ inputs }: Origin): string {
  return inputs.toString(16).padStart(16, '0');
}
