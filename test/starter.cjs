// Starts commands for the tests, one at a time, from a small process. A request and its answer are one line of JSON each, in the pipes
// that the arguments name. The process ends when no client is left.

const { spawnSync } = require('node:child_process');
const { createReadStream, openSync, writeFileSync } = require('node:fs');
const { createInterface } = require('node:readline');

const MOST_OUTPUT = 2 ** 28;

const [requests, answers] = process.argv.slice(2);
const lines = createInterface({ input: createReadStream(requests, { fd: openSync(requests) }) });
const output = openSync(answers, 'w');

lines.on('line', (line) => {
  const { command, args, input, ...options } = JSON.parse(line);
  const { stdout, stderr, status } = spawnSync(command, args, {
    ...options,
    input: Buffer.from(input, 'base64'),
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
  });
  writeFileSync(output, `${JSON.stringify({ stdout, stderr, status })}\n`);
});
