/** The range of the logarithm of the number of registers. */
export const LOG_REGISTERS = { least: 4, most: 21 };

export const VERSION = 1;
export const FAMILY = 7;

/** Words of 4 bytes before the data of each form. The index is the number of the form. */
export const HEAD_WORDS = [2, 3, 10];

/** Whether a file begins like a sketch. A text never has such bytes. */
export function isSketch([words, version, family, log = 0, , , , forms = 0]: Uint8Array): boolean {
  if (version !== VERSION || family !== FAMILY || log < LOG_REGISTERS.least || log > LOG_REGISTERS.most) return false;
  return words !== undefined && HEAD_WORDS[forms & 3] === words;
}
