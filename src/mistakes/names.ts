// Names of commands and flags in other programs.

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  size: ['plan', 'calc', 'calculate', 'estimate'],
  build: ['create', 'new', 'make', 'init'],
  query: ['check', 'contains', 'test', 'has', 'exists', 'lookup', 'search', 'find', 'grep', 'rg', 'filter'],
  add: ['insert', 'update', 'append', 'put'],
  remove: ['delete', 'del', 'rm'],
  merge: ['union', 'join', 'combine'],
  stats: ['info', 'show', 'inspect', 'describe', 'status', 'verify', 'list', 'dump'],
  formats: ['format', 'systems', 'types'],
  count: ['distinct', 'cardinality', 'wc'],
  dedup: ['dedupe', 'deduplicate', 'uniq', 'unique'],
  digest: ['digests', 'hash', 'hashes'],
  completion: ['completions', 'complete', 'autocomplete'],
};

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  '--items': ['--capacity', '--expected', '--expected-items', '--keys', '--elements', '--num', '--number'],
  '--fpr': ['--error', '--error-rate', '--fp-rate', '--false-positive-rate', '--probability', '--rate', '--epsilon'],
  '--memory': ['--size', '--bytes', '--mem'],
  '--hashes': ['--hash-functions', '--num-hashes'],
  '--kind': ['--type', '--structure'],
  '--output': ['--out', '--outfile', '--output-file', '--save', '--to'],
  '--key': ['--string', '--word', '--value', '--item', '--element', '--pattern', '--regexp', '-k'],
  '--invert': ['--invert-match', '--not', '--absent', '--missing', '--new'],
  '--ignore-case': ['--case-insensitive', '--nocase'],
  '--null': ['--zero', '--zero-terminated', '--null-data', '--print0', '-z'],
  '--delimiter': ['--separator', '--sep', '--delim', '-t', '-F'],
  '--field': ['--column', '--fields'],
  '--json-key': ['--json-path', '--jsonpath', '--jq'],
  '--force': ['--overwrite', '--clobber', '--yes', '-y'],
  '--threads': ['--jobs', '--parallel', '--workers', '--cores', '-j'],
  '--quiet': ['--silent', '-s'],
  '--color': ['--colour'],
};

/** The command with this name in other programs. */
export function commandMeant(name: string): string | undefined {
  return Object.keys(COMMANDS).find((command) => COMMANDS[command]?.includes(name));
}

/** The known flag with this name in other programs. */
export function flagMeant(name: string, known: readonly string[]): string | undefined {
  return known.find((flag) => FLAGS[flag]?.includes(name));
}
