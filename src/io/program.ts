import { once } from 'node:events';
import { BloomError, causeOf, errno, printable, UnreadableInput } from '../errors.ts';
import { createNews, type Decoder, type Encoded, undecodable } from './decoder.ts';
import { displayName } from './look.ts';
import { piecesOf } from './pieces.ts';

/** Characters of the program's messages that are kept. */
const SAID = 1000;

/**
 * A decoder that is another program. Each of these programs decodes its standard input to its standard output with -dc.
 */
export async function programDecoder(encoded: Encoded): Promise<Decoder> {
  const { compression: program } = encoded;
  const { spawn } = await import('node:child_process');
  const child = spawn(program, ['-dc'], { stdio: 'pipe' });
  await once(child, 'spawn').catch((error: unknown) => {
    throw cannotStart(encoded, error);
  });
  const { stdin, stdout, stderr } = child;
  const news = createNews();
  let failure: Error | undefined;
  let said = '';
  let isAllGiven = false;
  let isDone = false;
  stdin.on('drain', news.tell);
  // The program has ended early. Its own message gives the reason.
  stdin.on('error', () => {});
  const pieces = piecesOf(stdout, news.tell);
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, SAID);
  });
  child.on('close', (status, signal) => {
    isDone = true;
    const [line = ''] = said.trim().split('\n');
    // Messages of a successful program are not errors: some programs report progress or skipped bytes.
    if (status !== 0)
      failure = undecodable(
        encoded,
        printable(line) || `${program} ended with ${signal ?? `status ${status}`}, without a message`,
      );
    news.tell();
  });
  return {
    take(into) {
      const bytes = pieces.take(into);
      if (bytes > 0) return bytes;
      if (failure !== undefined) throw failure;
      return isDone ? 0 : undefined;
    },
    isReady: () => !isAllGiven && !isDone && !stdin.writableNeedDrain,
    give(bytes) {
      isAllGiven = bytes.length === 0;
      if (isAllGiven) stdin.end();
      else stdin.write(bytes);
    },
    change: news.next,
    close() {
      child.kill();
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
    },
  };
}

function cannotStart({ name, content, compression: program }: Encoded, error: unknown): BloomError {
  const isMissing = errno(error) === 'ENOENT';
  const remedy = isMissing
    ? `install ${program}`
    : errno(error) === 'EMFILE'
      ? 'allow more with ulimit -n'
      : `make ${program} executable`;
  const why = isMissing ? `there is no program ${program}` : causeOf(error);
  const message = `cannot read ${displayName(name)}, which is compressed with ${program}: ${why}`;
  return content === 'records'
    ? new UnreadableInput(message, `${remedy}, or pipe the decompressed records in`)
    : new BloomError('input', message, `${remedy}, or decompress it first`);
}
