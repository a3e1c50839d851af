// Other programs that do this work, and how to run them. If a peer is not installed, it is left out with a notice.

import { join } from 'node:path';

/** The files of one size. */
export interface Files {
  readonly folder: string;
  readonly members: string;
  /** As many lines, of which every second one is a member. */
  readonly mixed: string;
  readonly lines: number;
}

export interface Peer {
  readonly name: string;
  /** The most lines to give it: with more the program takes minutes or all memory. */
  readonly limit: number;
  /** A command that shows that the program is installed, and its version. */
  readonly version: string;
  /** Shell commands. A work that the program does not do is left out. */
  readonly build?: (files: Files) => string;
  readonly count?: (files: Files) => string;
  readonly print?: (files: Files) => string;
  readonly pipe?: (files: Files) => string;
}

/** The folder for what the peers need, outside the packages of this project. */
export const PEERS_FOLDER = join('node_modules', '.cache', 'peers');

/** The folder into which `npm install --prefix node_modules/.cache/peers --no-save bloom-filters bloomfilter` puts its packages. */
export const PACKAGES = join(PEERS_FOLDER, 'node_modules');
const DRIVER = join('test', 'bench', 'npm-peer.mjs');

const filterOf = ({ folder }: Files, peer: string) => join(folder, `${peer}.filter`);
const driver = (name: string, work: string, files: Files) =>
  `node ${DRIVER} ${join(PACKAGES, name)} ${work} ${files.members} ${files.mixed} ${files.lines}`;

/** DCSO's bloom. */
export const DCSO_COMMAND = {
  name: 'DCSO bloom (Go)',
  program: '/usr/bin/bloom',
  // The text identifies the program, as more than one has this name.
  version: '/usr/bin/bloom --version | grep "^bloom filter version\\|Bloom Filter version"',
} as const;

export const PEERS: readonly Peer[] = [
  {
    name: DCSO_COMMAND.name,
    limit: 1e7,
    version: DCSO_COMMAND.version,
    build: (files) => {
      const filter = filterOf(files, 'dcso');
      return `rm -f ${filter}; /usr/bin/bloom --gzip=false create -p 0.01 -n ${files.lines} ${filter} && /usr/bin/bloom insert ${filter} < ${files.members}`;
    },
    count: (files) =>
      `/usr/bin/bloom check ${filterOf(files, 'dcso')} < ${files.mixed} > ${files.folder}/out; wc -l ${files.folder}/out`,
    print: (files) => `/usr/bin/bloom check ${filterOf(files, 'dcso')} < ${files.mixed} | wc -l`,
    pipe: (files) => `cat ${files.mixed} | /usr/bin/bloom check ${filterOf(files, 'dcso')} | wc -l`,
  },
  {
    name: 'awk, an array',
    limit: 1e6,
    version: 'awk -W version 2>&1 | head -n 1 || awk --version | head -n 1',
    count: ({ members, mixed }) =>
      `awk 'NR == FNR { seen[$0]; next } $0 in seen { n++ } END { print n }' ${members} ${mixed}`,
    print: ({ members, mixed }) => `awk 'NR == FNR { seen[$0]; next } $0 in seen' ${members} ${mixed} | wc -l`,
  },
  {
    name: 'sort and comm',
    limit: 1e7,
    version: 'sort --version | head -n 1',
    count: ({ folder, members, mixed }) =>
      `export LC_ALL=C; sort -u ${members} > ${folder}/sorted; sort -u ${mixed} | comm -12 ${folder}/sorted - | wc -l`,
  },
  {
    name: 'grep -Fxf',
    limit: 1e5,
    version: 'grep --version | head -n 1',
    count: ({ members, mixed }) => `LC_ALL=C grep -cFxf ${members} ${mixed}`,
    print: ({ members, mixed }) => `LC_ALL=C grep -Fxf ${members} ${mixed} | wc -l`,
  },
  ...[['bloomfilter', 1e6] as const, ['bloom-filters', 1e5] as const].map(
    ([name, limit]): Peer => ({
      name: `${name} (npm)`,
      limit,
      version: `node -p "require('./${join(PACKAGES, name, 'package.json')}').version"`,
      build: (files) => driver(name, 'build', files),
      count: (files) => driver(name, 'count', files),
    }),
  ),
];
