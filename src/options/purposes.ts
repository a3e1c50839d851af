/** Something with a name and a purpose. */
export interface Named {
  readonly name: string;
  readonly purpose: string;
}

/** The purpose of each item, one per line. */
export function purposes(named: readonly Named[]): string {
  return inColumns(named.map(({ name, purpose }) => [name, purpose]));
}

/** Terms and their descriptions, one per line. */
export function inColumns(lines: readonly (readonly [term: string, said?: string])[]): string {
  const width = Math.max(...lines.map(([term]) => term.length));
  return lines.map(([term, said = '']) => `  ${term.padEnd(width)}  ${said}`.trimEnd()).join('\n');
}
