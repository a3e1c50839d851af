// What the scripts of bloom completion complete, in the shells themselves: the test types keys on a pseudo terminal.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { wholeProgram } from '../../src/commands/program.ts';
import { inLongRuns } from '../long.ts';
import { scratch } from './run.ts';

const { bloom, path, shell: run } = scratch();

interface Shell {
  readonly name: string;
  /** Starts the shell on a terminal, with a script in the scratch folder. */
  readonly start: string;
  /** Shell code that replaces the command and prints its arguments. */
  readonly settings: string;
  readonly settingsFile: string;
  /** A script that prints the flags offered for each command among its arguments, one per line: "build --force". */
  readonly offered: string;
}

const SHELLS: readonly Shell[] = [
  {
    name: 'bash',
    start: 'bash --noprofile --rcfile bash.settings -i',
    settingsFile: 'bash.settings',
    settings: `bloom() { printf '|%s' got "$@"; echo '|'; }
bloomery() { bloom "$@"; }
source ./bash.script
`,
    offered: `source ./bash.script
COMP_CWORD=2
for command; do
  COMP_WORDS=(bloom $command -)
  _bloom
  printf "$command %s\\n" "\${COMPREPLY[@]}"
done
`,
  },
  {
    name: 'zsh',
    start: 'zsh -i',
    settingsFile: 'zdot/.zshrc',
    settings: `bloom() { printf '|%s' got "$@"; echo '|'; }
bloomery() { bloom "$@"; }
cp zsh.script zdot/_bloom
fpath=($PWD/zdot $fpath)
autoload -Uz compinit && compinit -u -d zdot/dump
`,
    // The specifications of the command itself come second: ([exclusions])[*]NAME[+|=][[description]...
    offered: `compdef() {}
_arguments() { specs=("\${@:#-[sS]}"); state=taken; return 1; }
source ./zsh.script
for command; do
  words=($command)
  _bloom
  for spec in $specs; do [[ $spec =~ '^(\\([^)]*\\))?[*]?(-[^][+=]*)' ]] && print -r -- $command $match[2]; done
done
`,
  },
  {
    name: 'fish',
    start: 'fish -i',
    settingsFile: 'config/fish/config.fish',
    settings: `function bloom; printf '|%s' got $argv; echo '|'; end
function bloomery; bloom $argv; end
source fish.script
`,
    offered: `source fish.script
for command in $argv
  for beginning in - --
    complete -C "bloom $command $beginning" | string replace -r '(\\S+).*' "$command \\$1"
  end
end
`,
  },
];

const hasTerminal = spawnSync('script', ['--version']).status === 0;

function isThere({ name }: Shell): boolean {
  const is = hasTerminal && spawnSync(name, ['--version']).status === 0;
  if (!is) console.warn(`skipped: there is no ${hasTerminal ? name : 'script(1)'}`);
  return is;
}

/** The arguments of each typed line, after tabs have completed them. */
function typed({ start }: Shell, lines: readonly string[]): string[] {
  writeFileSync(path('keys'), [...lines, 'exit', ''].join('\n'));
  const { stdout } = run(
    `ZDOTDIR=$PWD/zdot XDG_CONFIG_HOME=$PWD/config INPUTRC=/dev/null TERM=dumb script -qec '${start}' /dev/null < keys`,
  );
  return [...stdout.matchAll(/\|got\|(.*)\|\r/g)].map(([, args = '']) => args);
}

/** The flags that the help of each command names. */
const flagsInHelp: Record<string, string[]> = {};

beforeAll(async () => {
  for (const command of (await wholeProgram()).commands) {
    const lines = command.helpInformation().matchAll(/^ {2}(-\S+?)(?:, (--\S+))?(?: <.*>)?(?: {2}|$)/gm);
    flagsInHelp[command.name()] = [...lines].flatMap(([, first = '', second]) =>
      second === undefined ? [first] : [first, second],
    );
  }
  for (const folder of ['zdot', 'config', 'config/fish', 'a folder', 'notes']) mkdirSync(path(folder));
  for (const { name, settingsFile, settings } of SHELLS) {
    writeFileSync(path(`${name}.script`), bloom(['completion', name]).stdout);
    writeFileSync(path(settingsFile), settings);
  }
  for (const name of ['words.bloom', 'words.list', 'other.bin', 'sketch.hll']) writeFileSync(path(name), '');
});

/** The default run has bash alone. */
const TRIED = inLongRuns(
  SHELLS,
  SHELLS.filter(({ name }) => name === 'bash'),
);

describe.each(TRIED.map((shell) => [shell.name, shell] as const))('%s', (name, shell) => {
  test.skipIf(!isThere(shell))('completes what is typed', () => {
    const lines: readonly (readonly [keys: string, args: string])[] = [
      ['bloom bui\t--stri\t-o x --dig\t', 'build|--strict|-o|x|--digests'],
      // The shell offers a repeatable flag again.
      ['bloom build --comment a --com\tb', expect.stringMatching(/^build\|--comment\|a\|--comment[=|]b$/)],
      // Values: words, names of filters, names of other files, and values without completion.
      ['bloom build --kind cuc\t-o oth\t', 'build|--kind|cuckoo|-o|other.bin'],
      ['bloom build --kind=cuc\tx', 'build|--kind=cuckoo|x'],
      // fish only lists the candidates first.
      ['bloom build --like wo\tx', `build|--like|words.${name === 'fish' ? '' : 'bloom|'}x`],
      ['bloom build --like oth\tx', 'build|--like|other.bin|x'],
      ['bloom build -n sket\t x', 'build|-n|sket|x'],
      ['bloom size --format cassandra-2\t', 'size|--format|cassandra-2'],
      ['bloom build --present wo', 'build|--present|wo'],
      // Arguments: filters first.
      ['bloom query words.b\twords.l\t', 'query|words.bloom|words.list'],
      ['bloom query -c --threads 2 words.b\t-f 2 words.l\t', 'query|-c|--threads|2|words.bloom|-f|2|words.list'],
      ['bloom query -- words.b\t', 'query|--|words.bloom'],
      ['bloom stats oth\t', 'stats|other.bin'],
      ['bloom build a\\ f\t', expect.stringMatching(/^build\|a folder\/?$/)],
      ['bloom size oth\t', 'size|oth'],
      ['bloom help que\t', 'help|query'],
      ['bloom completion f\t', 'completion|fish'],
      // The other name of the command.
      ['bloomery que\t-', 'query|-'],
      ['bloomery query words.b\t--invert', 'query|words.bloom|--invert'],
    ];
    expect(
      typed(
        shell,
        lines.map(([keys]) => keys),
      ),
    ).toEqual(lines.map(([, args]) => args));
  });

  test.skipIf(!isThere(shell))('offers the flags of every command', () => {
    writeFileSync(path('offered'), shell.offered);
    const offered = run(`${name} offered ${Object.keys(flagsInHelp).join(' ')}`)
      .stdout.trim()
      .split('\n');
    const expected = Object.entries(flagsInHelp).flatMap(([command, flags]) =>
      flags.map((flag) => `${command} ${flag}`),
    );
    expect(expected.length).toBeGreaterThan(200);
    expect([...new Set(offered)].sort()).toEqual(expected.sort());
  });
});

/** PowerShell does not run here, so the test reads its script. */
test('powershell has the flags of every command', () => {
  const script = bloom(['completion', 'powershell']).stdout;
  const offered: Record<string, string[]> = {};
  for (const [, command = '', flags = ''] of script.matchAll(
    /^ {12}'(\w+)' \{\n +\$offered = @\(\n([^)]*?)\n {16}\)$/gm,
  ))
    offered[command] = [...flags.matchAll(/^ +'(-\S+) .*'$/gm)].map(([, flag = '']) => flag);
  for (const [command, flags] of Object.entries(flagsInHelp))
    expect(offered[command]?.sort() ?? []).toEqual([...flags].sort());
  expect(Object.keys(offered)).toContain('query');
});

const fish = SHELLS.find(({ name }) => name === 'fish');
test.skipIf(fish === undefined || !isThere(fish))('fish shows filters before other files', () => {
  writeFileSync(path('shown'), "source fish.script; complete -C 'bloom stats w'\n");
  expect(run('fish shown').stdout).toMatch(/^words\.bloom\b.*\nwords\.list\b.*\n$/);
});
