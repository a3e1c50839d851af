/** Bytes before the lengths. */
export const SCALABLE_BYTES = 32;

const SCALE_LIMIT = 64;
const FILTERS_LIMIT = 1024;

/** The lowest plausible rate. */
const LEAST_RATE = 1e-100;

/** Whether a scalable filter may begin with these bytes. */
export function isScalable(head: DataView): boolean {
  const [scale, ratio, fpr, count] = fieldsOf(head);
  const isScale = scale > 0 && scale <= SCALE_LIMIT;
  const isRate = (rate: number) => rate > LEAST_RATE && rate < 1;
  return isScale && isRate(ratio) && isRate(fpr) && count >= 0 && count <= FILTERS_LIMIT;
}

/** The least number of bytes of the file: the lengths of its filters, and the first filter. */
export function leastBytes(head: DataView): number {
  const [, , , count] = fieldsOf(head);
  return SCALABLE_BYTES + 8 * count + (count === 0 ? 0 : Number(head.getBigUint64(SCALABLE_BYTES, true)));
}

/** The fields of its head. */
export function fieldsOf(head: DataView): [scale: number, ratio: number, fpr: number, count: number] {
  return [head.getInt32(0, true), head.getFloat64(4, true), head.getFloat64(20, true), head.getInt32(28, true)];
}
