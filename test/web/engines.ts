// npm run test:web [-- --small]
//
// Each installed engine opens a filter of every kind with every hash, and of every rule of keys, from a host: by range, whole, and with
// the kernel. It looks up 100,000 keys, or 5,000 in the small form, and 500 in an index of files. The answers must be those of the
// command. Then each engine prints its time per key, without the kernel and with it.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '../../src/filters/registry.ts';
import { HASH_NAMES } from '../../src/hashes/registry.ts';
import { type StaticServer, staticServer } from './static-server.ts';

const isSmall = process.argv.includes('--small');
const KEYS = isSmall ? 5000 : 100_000;
const BLOOM = join('bin', 'bloom.js');

/** Ends a hanging engine. */
const HANGS = 20 * 60_000;

interface Result {
  readonly filter: string;
  readonly mode: string;
  /** The number of answers that differ from the command's. */
  readonly wrong: number;
  readonly milliseconds: number;
}

const MODES = ['by range', 'whole', 'kernel'];

const folder = mkdtempSync(join(tmpdir(), 'bloomery-engines-'));
const server = await staticServer();

const bloom = (...args: string[]) =>
  execFileSync(process.execPath, [BLOOM, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });

/** Filters of every kind and hash, and the answers of the command: 0 or 1 per key. */
function makeFilters(): string[] {
  const forms = [
    (i: number) => `https://example.org/page/${i}`,
    (i: number) => `ÄÖ ${i}`,
    (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
  ];
  const keys = Array.from({ length: KEYS }, (_, i) => forms[i % forms.length]?.(i) ?? '');
  const members = keys.filter((_, i) => i % 2 === 0);
  const [all, some] = [join(folder, 'keys'), join(folder, 'members')];
  writeFileSync(all, `${keys.join('\n')}\n`);
  writeFileSync(some, `${members.join('\n')}\n`);
  server.files.set('/keys', readFileSync(all));
  const kinds: (readonly [string, readonly string[]])[] = [
    ...KINDS.map(({ name }) => [name, ['--kind', name]] as const),
    ['small segments', ['-n', '1M', '--segment-size', '4KiB']],
  ];
  const rules = [
    '--ignore-case-unicode',
    '--key-hash=sha1',
    '--key-hash=sha256:upper',
    '--key-hash=md5',
    '--suffixes',
    '--prefixes',
  ];
  const wanted = [
    ...kinds.flatMap(([kind, flags]) =>
      HASH_NAMES.map((hash) => [`${kind}-${hash}`, [...flags, '--hash', hash]] as const),
    ),
    ...rules.map((rule) => [rule, [rule]] as const),
  ];
  return wanted.map(([title, flags]) => {
    const name = `/${title.replaceAll(/[ =:-]+/g, '-')}.bloom`;
    const file = join(folder, name);
    bloom('build', '-q', ...flags, some, '-o', file);
    const selected = new Set(bloom('query', file, all).split('\n'));
    server.files.set(name, readFileSync(file));
    server.files.set(`${name}.answers`, keys.map((key) => (selected.has(key) ? '1' : '0')).join(''));
    return name;
  });
}

/** The index of files that each engine opens, and keys that it looks up there. */
const INDEX = '/files.index';
const INDEX_KEYS = 500;

/** An index of the files that `makeFilters` has written. The answers of the command are an array of names per key. */
function makeIndex(): void {
  const [all, some] = [join(folder, 'keys'), join(folder, 'members')];
  const [few, index] = [join(folder, 'few'), join(folder, INDEX)];
  writeFileSync(few, readFileSync(all, 'utf8').split('\n').slice(0, INDEX_KEYS).join('\n'));
  bloom('index', '-q', all, some, few, '-o', index);
  const lines = bloom('query', '--json', index, few).trimEnd().split('\n');
  server.files.set(INDEX, readFileSync(index));
  server.files.set(`${INDEX}.answers`, JSON.stringify(lines.map((line) => JSON.parse(line).files)));
}

/** The program of each engine. It needs only the reader and fetch. */
const IMPORTS = `
import { openFilter } from './web.mjs';
import { domain, hashes, keyHashes, letters, network } from './web-parts.mjs';
import { bulk } from './web-bulk.mjs';
import { openIndex } from './web-file-index.mjs';
`;
const CHECKS = `${IMPORTS}
async function checks(kernel, origin, filters) {
  const text = async (path) => (await fetch(origin + path)).text();
  const keys = (await text('/keys')).trimEnd().split('\\n');
  const rules = [domain, keyHashes, letters, network];
  const modes = {
    'by range': { with: [...rules, hashes] },
    whole: { with: [...rules, hashes], whole: true },
    kernel: { with: [...rules, await bulk(kernel)] },
  };
  const results = [];
  for (const filter of filters) {
    const expected = await text(filter + '.answers');
    for (const [mode, options] of Object.entries(modes)) {
      const opened = await openFilter(origin + filter, options);
      const start = performance.now();
      const answers = await opened.hasMany(keys);
      const milliseconds = performance.now() - start;
      const few = await Promise.all(keys.slice(0, 50).map((key) => opened.has(key)));
      const wrong = answers.filter((answer, i) => answer !== (expected[i] === '1')).length;
      const wrongOnes = few.filter((answer, i) => answer !== (expected[i] === '1')).length;
      results.push({ filter, mode, wrong: wrong + wrongOnes, milliseconds });
      opened.close();
    }
  }
  const start = performance.now();
  const index = await openIndex(origin + '${INDEX}');
  const expected = JSON.parse(await text('${INDEX}.answers'));
  const found = await Promise.all(expected.map((_, i) => index.filesWith(keys[i])));
  const wrong = expected.filter((names, i) => String(names) !== String(found[i])).length;
  results.push({ filter: '${INDEX}', mode: 'by range', wrong, milliseconds: performance.now() - start });
  return results;
}`;

/** The files of the reader. */
const FILES = ['web.mjs', 'web-parts.mjs', 'web-bulk.mjs', 'web-file-index.mjs'];

const call = (filters: readonly string[], kernel = JSON.stringify(`${server.origin}/kernel.wasm`)) =>
  `checks(${kernel}, ${JSON.stringify(server.origin)}, ${JSON.stringify(filters)})`;

/** The program for engines that print. */
function script(filters: readonly string[]): string {
  const file = join(folder, 'checks.mjs');
  writeFileSync(file, `${CHECKS}\nconsole.log(JSON.stringify(await ${call(filters)}));\n`);
  return file;
}

/** The standard output of a program. This process serves it meanwhile. */
async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: HANGS });
  const pieces: Uint8Array[] = [];
  child.stdout.on('data', (piece) => pieces.push(piece));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ended with status ${status}`);
  return Buffer.concat(pieces).toString();
}

const printed =
  (command: string, ...before: string[]) =>
  async (filters: readonly string[]): Promise<Result[]> =>
    JSON.parse(await outputOf(command, [...before, script(filters)]));

/** Opens a page that sends its results. Its origin is not that of the filters. */
async function inBrowser(filters: readonly string[], command: string, ...args: string[]): Promise<Result[]> {
  const pages: StaticServer = await staticServer();
  for (const file of FILES) pages.files.set(`/${file}`, readFileSync(join('dist/js', file)));
  pages.files.set(
    '/checks.mjs',
    `${CHECKS}
${call(filters)}.then(JSON.stringify, (error) => JSON.stringify({ error: String(error) })).then((body) => fetch('/results', { method: 'POST', body }));`,
  );
  pages.files.set(
    '/index.html',
    '<!doctype html><title>checks</title><script type="module" src="checks.mjs"></script>',
  );
  const sent = pages.posted('/results');
  const child = spawn(command, [...args, `${pages.origin}/index.html`], { stdio: 'ignore', timeout: HANGS });
  const results = JSON.parse(
    await Promise.race([sent, once(child, 'exit').then(() => '{"error":"the browser ended"}')]),
  );
  child.kill();
  pages.close();
  if (results.error !== undefined) throw new Error(results.error);
  return results;
}

async function inWorkerd(filters: readonly string[], command: string): Promise<Result[]> {
  writeFileSync(
    join(folder, 'worker.mjs'),
    `import kernel from './kernel.wasm';${CHECKS}
export default { fetch: async () => new Response(JSON.stringify(await ${call(filters, 'kernel')})) };`,
  );
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        (name = "worker.mjs", esModule = embed "worker.mjs"), (name = "kernel.wasm", wasm = embed "kernel.wasm"),
        ${FILES.map((file) => `(name = "${file}", esModule = embed "${file}")`).join(', ')}
      ],
      compatibilityDate = "2025-01-01", globalOutbound = "net")),
    (name = "net", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);`,
  );
  const child = spawn(command, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.stdio[3]?.on('data', (line) => resolve(JSON.parse(String(line)).port));
      child.on('exit', () => reject(new Error('workerd ended')));
    });
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    if (answer.status !== 200) throw new Error(`workerd answered with status ${answer.status}`);
    return (await answer.json()) as Result[];
  } finally {
    child.kill();
  }
}

/** The program of a package; undefined if the package is not available. */
function packaged(name: string): string | undefined {
  try {
    return execFileSync('npx', ['--yes', '-p', name, 'which', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

const installed = (path: string) => (existsSync(path) ? path : undefined);

interface Engine {
  readonly name: string;
  readonly command: string | undefined;
  run(filters: readonly string[], command: string): Promise<Result[]>;
}

const profile = join(folder, 'profile');
const ENGINES: readonly Engine[] = [
  {
    name: `Node ${process.versions.node}`,
    command: process.execPath,
    run: (filters, command) => printed(command)(filters),
  },
  { name: 'Bun', command: packaged('bun'), run: (filters, command) => printed(command)(filters) },
  {
    name: 'Deno',
    command: packaged('deno'),
    run: (filters, command) => printed(command, 'run', '--allow-net')(filters),
  },
  { name: 'workerd', command: packaged('workerd'), run: inWorkerd },
  {
    name: 'Chromium',
    command: installed('/usr/bin/chromium'),
    run: (filters, command) =>
      inBrowser(
        filters,
        command,
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        `--user-data-dir=${profile}-chromium`,
      ),
  },
  {
    name: 'Firefox',
    command: installed('/usr/bin/firefox-esr'),
    run: (filters, command) =>
      inBrowser(filters, command, '--headless', '--no-remote', '--profile', `${profile}-firefox`),
  },
];

/** The average time per key in the filters of all kinds with the default hash. */
function microseconds(results: readonly Result[], mode: string): string {
  const of = results.filter((result) => result.mode === mode && result.filter.endsWith('-xxh64.bloom'));
  return ((1000 * of.reduce((sum, { milliseconds }) => sum + milliseconds, 0)) / of.length / KEYS).toFixed(2);
}

mkdirSync(`${profile}-firefox`);
for (const file of FILES) writeFileSync(join(folder, file), readFileSync(join('dist/js', file)));
writeFileSync(join(folder, 'kernel.wasm'), readFileSync('dist/kernel.wasm'));
server.files.set('/kernel.wasm', readFileSync('dist/kernel.wasm'));
const filters = makeFilters();
makeIndex();
/** Each filter in each mode, and the index. */
const WANTED = MODES.length * filters.length + 1;
for (const { name, command, run } of ENGINES) {
  if (command === undefined) {
    console.log(`${name}: skipped, it could not be had`);
    continue;
  }
  const start = performance.now();
  try {
    const results = await run(filters, command);
    const wrong = results.filter((result) => result.wrong > 0);
    const times = ['whole', 'kernel'].map((mode) => `${mode} ${microseconds(results, mode)} µs per key`).join(', ');
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    const isWhole = results.length === WANTED && wrong.length === 0;
    console.log(
      `${name}: ${results.length - wrong.length} of ${WANTED} right, ${KEYS} keys each, ${seconds} s; ${times}`,
    );
    for (const result of wrong) console.log(`  ${result.filter}, ${result.mode}: ${result.wrong} wrong answers`);
    if (!isWhole) process.exitCode = 1;
  } catch (error) {
    console.log(`${name}: ${error}`);
    process.exitCode = 1;
  }
}
server.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
