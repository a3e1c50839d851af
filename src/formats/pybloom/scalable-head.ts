/** Bytes before the lengths. */
export const SCALABLE_BYTES = 32;

const SCALE_LIMIT = 64;
const FILTERS_LIMIT = 1024;

/** Whether a scalable filter may begin with these bytes. */
export function isScalable(head: DataView): boolean {
  const [scale, ratio, fpr, count] = fieldsOf(head);
  const isScale = scale > 0 && scale <= SCALE_LIMIT;
  return isScale && ratio > 0 && ratio < 1 && fpr > 0 && fpr < 1 && count >= 0 && count <= FILTERS_LIMIT;
}

/** The fields of its head. */
export function fieldsOf(head: DataView): [scale: number, ratio: number, fpr: number, count: number] {
  return [head.getInt32(0, true), head.getFloat64(4, true), head.getFloat64(20, true), head.getInt32(28, true)];
}
