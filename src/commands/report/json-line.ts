/** One object on a line of its own. */
export function jsonLine(object: object): string {
  return `${JSON.stringify(object)}\n`;
}
