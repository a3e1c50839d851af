/** What people call a command that has another name here. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  size: ['plan', 'calc', 'calculate', 'estimate'],
  build: ['create', 'new', 'make', 'init'],
  query: ['check', 'contains', 'test', 'has', 'exists', 'lookup', 'search', 'grep', 'filter'],
  add: ['insert', 'update', 'append', 'put'],
  remove: ['delete', 'del', 'rm'],
  merge: ['union', 'join', 'combine'],
  stats: ['info', 'show', 'inspect', 'describe', 'status', 'verify', 'list', 'dump'],
  formats: ['format', 'systems', 'types'],
  count: ['distinct', 'unique', 'uniq', 'cardinality'],
  digest: ['digests', 'hash', 'hashes'],
};

/** The option that other commands than `query` do not have for their keys, as commander quotes it. */
const KEY_OPTION = /'(-e|--key)(?![\w-])/;

/** What is meant by a command line that commander refuses, where we know better; `code` and `what` are its error's. */
export function meantBy(code: string, what: string, [command = '', ...rest]: readonly string[]): string | undefined {
  if (code === 'commander.unknownOption' && KEY_OPTION.test(what) && ['build', 'add', 'remove'].includes(command))
    return `records come from files or the standard input: echo KEY | bloom ${command} ...`;
  if (code === 'commander.excessArguments' && command === 'size')
    return `numbers follow flags, as keys do -n: bloom size -n ${/^\d/.test(rest[0] ?? '') ? rest[0] : 'COUNT'}`;
  if (code !== 'commander.unknownCommand') return undefined;
  const asked = command === 'help' ? rest[0] : command;
  if (asked === 'version') return 'did you mean --version?';
  const meant = Object.keys(OTHER_NAMES).find((name) => OTHER_NAMES[name]?.includes(asked ?? ''));
  return meant && `did you mean ${meant}?`;
}
