import type { ClientRequest, IncomingMessage } from 'node:http';
import { BloomError, errno, printable } from '../../errors.ts';
import { type Connections, createConnections, ProxyRefusal } from './connections.ts';

/** The connection to a file on a server. */
export interface Client {
  /** The name in messages. */
  readonly name: string;
  /**
   * Requests the file with these headers, and follows redirects. Throws `input` errors if there is no answer, or a
   * redirect cannot be followed.
   */
  get(headers: Readonly<Record<string, string>>): Promise<IncomingMessage>;
  /** The body of an answer, which has `length` bytes. Throws an `input` error if it has fewer. */
  body(message: IncomingMessage, length: number): Promise<Uint8Array>;
}

/** The most redirects of one request. */
const REDIRECTS_LIMIT = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** The longest timer of Node, in milliseconds: 25 days. A longer timer would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const ALWAYS = { 'accept-encoding': 'identity', 'user-agent': 'bloom' };

/** Headers for one server, such as those of a login. */
export interface ServerHeaders {
  /** Scheme, host and port of the server. */
  readonly origin: string;
  readonly values: Readonly<Record<string, string>>;
}

export interface ClientOptions {
  /**
   * Milliseconds for which the server may be silent. The limit holds for the complete head of an answer, including the lookup of the host,
   * and for each piece of the body.
   */
  readonly patience: number;
  readonly headers?: ServerHeaders | undefined;
  /** The variables that state proxies. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Answers of a server that no longer accepts a URL. The server that redirected there may know a newer URL. */
const EXPIRED = [400, 401, 403, 404, 410];

export function createClient(
  url: URL,
  name: string,
  { patience: wanted, headers: own, env = {} }: ClientOptions,
): Client {
  const patience = Math.min(wanted, LONGEST_TIMER);
  const connections = createConnections(env);
  let place = url;
  const requestOnce = async (to: URL, headers: Readonly<Record<string, string>>, deadline: number) => {
    const ofServer = to.origin === own?.origin ? own.values : {};
    const request = await connections.request(to, { ...ALWAYS, ...ofServer, ...headers });
    return answerOf(request, deadline - performance.now());
  };
  /** The answer of the server at `to`, which may be a redirect. */
  const request = (to: URL, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> => {
    const deadline = performance.now() + patience;
    return requestOnce(to, headers, deadline)
      .catch((error: unknown) => {
        // A server may close an idle connection just when the client uses it again.
        if (error instanceof StaleConnection) return requestOnce(to, headers, deadline);
        throw error;
      })
      .catch((error: unknown) => {
        throw failureOf(name, to, patience, error, connections);
      });
  };
  /** The answer after all redirects, and the URL that gave it. */
  const follow = async (from: URL, headers: Readonly<Record<string, string>>) => {
    let at = from;
    for (let redirects = 0; ; redirects++) {
      const message = await request(at, headers);
      if (!REDIRECTS.includes(message.statusCode ?? 0)) return { message, at };
      message.destroy();
      if (redirects === REDIRECTS_LIMIT)
        throw unreadable(name, `the server redirects it more than ${REDIRECTS_LIMIT} times`);
      at = redirected(name, at, message.headers.location);
    }
  };
  return {
    name,
    async get(headers) {
      const from = place;
      let { message, at } = await follow(from, headers);
      if (from !== url && EXPIRED.includes(message.statusCode ?? 0)) {
        message.destroy();
        ({ message, at } = await follow(url, headers));
      }
      place = at;
      return message;
    },
    async body(message, length) {
      const bytes = new Uint8Array(length);
      let done = 0;
      const silence = setTimeout(() => message.destroy(new Silence()), patience);
      try {
        for await (const piece of message as AsyncIterable<Uint8Array>) {
          silence.refresh();
          bytes.set(piece, done);
          done += piece.length;
        }
      } catch (error) {
        if (!isCutOff(error)) throw failureOf(name, place, patience, error, connections);
      } finally {
        clearTimeout(silence);
      }
      if (done < length)
        throw unreadable(name, `the connection ended after ${done} of ${length} bytes`, 'run the command again');
      return bytes;
    },
  };
}

/** The server had closed the idle connection. */
class StaleConnection extends Error {}

/** The server has been silent for too long. */
class Silence extends Error {}

/**
 * The answer to a request, once its head is complete. The limit covers interim answers (1xx) and single bytes of the
 * head. Node's own timeout would begin anew with each of them.
 */
function answerOf(request: ClientRequest, milliseconds: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => request.destroy(new Silence()), milliseconds);
    request
      .on('response', (response) => {
        clearTimeout(silence);
        resolve(response);
      })
      .on('error', (error) => {
        clearTimeout(silence);
        reject(request.reusedSocket && isCutOff(error) ? new StaleConnection() : error);
      })
      .end();
  });
}

function isCutOff(error: unknown): boolean {
  return errno(error) === 'ECONNRESET' || errno(error) === 'EPIPE';
}

/**
 * The target of a redirect. Throws an `input` error if the target is missing, has another scheme or has a user name.
 */
function redirected(name: string, from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from.href))
    throw unreadable(name, 'the server redirects it without a valid address');
  const to = new URL(location, from.href);
  const where = `${to.protocol}//${to.host}`;
  // Node would turn the user name into an Authorization header. Another server chose its value.
  if (to.username !== '' || to.password !== '')
    throw unreadable(name, `the server redirects it to a URL with a user name, at ${printable(where)}`);
  if (to.protocol === from.protocol) return to;
  throw unreadable(
    name,
    `the server redirects it to another scheme, ${printable(where)}`,
    'if you trust that address, name the file by its URL there',
  );
}

/** The error for a file that cannot be read from its server. */
export function unreadable(name: string, why: string, hint?: string): BloomError {
  return new BloomError('input', `cannot read ${name}: ${why}`, hint);
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused, so no server is running there',
  ECONNRESET: 'the connection ended before the answer',
  EPIPE: 'the connection ended before the answer',
  EPROTO: 'the server does not speak TLS, or no version that Node supports',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
};

/** Error codes of refused certificates, as OpenSSL and Node name them. */
const CERTIFICATE = /CERT|UNABLE_TO_|_CA$|CRL|HOSTNAME_MISMATCH/;

function failureOf(
  name: string,
  to: URL,
  patience: number,
  error: unknown,
  { proxyOf }: Pick<Connections, 'proxyOf'>,
): BloomError {
  if (error instanceof BloomError) return error;
  const { host } = to;
  const proxy = proxyOf(to);
  if (error instanceof ProxyRefusal) return unreadable(name, `the proxy ${proxy} failed: ${error.message}`);
  if (error instanceof Silence)
    return unreadable(name, `the server was silent for ${patience / 1000} s`, 'wait longer with --timeout SECONDS');
  const code = errno(error) ?? '';
  const cause = CAUSES[code];
  if (cause !== undefined) return unreadable(name, proxy === undefined ? cause : `the proxy ${proxy} failed: ${cause}`);
  const why = printable(error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
  if (CERTIFICATE.test(code))
    return unreadable(
      name,
      `the certificate of ${host} is not trusted (${why})`,
      'name a file with its authority in NODE_EXTRA_CA_CERTS',
    );
  return unreadable(name, code.startsWith('HPE_') ? `the server does not speak HTTP (${why})` : `${why}`);
}
