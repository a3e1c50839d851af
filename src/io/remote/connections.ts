import type { ClientRequest, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { proxyFor } from './proxies.ts';

/** Connections to servers, directly or through the proxies that the environment states. They stay open for further requests. */
export interface Connections {
  request(url: URL, headers: OutgoingHttpHeaders): Promise<ClientRequest>;
  /** Host and port of the proxy for a URL, for messages. */
  proxyOf(url: URL): string | undefined;
}

/** A proxy did not connect to the server. */
export class ProxyRefusal extends Error {}

/** Sends a request to a URL. */
type Requester = (url: URL, headers: OutgoingHttpHeaders) => ClientRequest;

export function createConnections(env: NodeJS.ProcessEnv): Connections {
  const options = { keepAlive: true };
  const requesters = new Map<string, Promise<Requester>>();
  const open = async (protocol: string, proxy: URL | undefined): Promise<Requester> => {
    if (protocol === 'http:') {
      if (proxy !== undefined) return throughProxy(proxy);
      const { Agent, request } = await import('node:http');
      const agent = new Agent(options);
      return (url, headers) => request(url, { agent, headers });
    }
    const { Agent, request } = await import('node:https');
    const agent = new Agent({ ...options, rejectUnauthorized: true });
    if (proxy !== undefined) Object.assign(agent, { createConnection: await tunnelThrough(proxy) });
    return (url, headers) => request(url, { agent, headers });
  };
  /** Sends the whole URL to a proxy. */
  const throughProxy = async (proxy: URL): Promise<Requester> => {
    const { Agent, request } = await moduleOf(proxy);
    const agent = new Agent(options);
    return (url, headers) => {
      const { host, origin, pathname, search } = url;
      return request(proxy, {
        agent,
        path: `${origin}${pathname}${search}`,
        headers: { host, ...loginOf(proxy), ...headers },
      });
    };
  };
  return {
    async request(url, headers) {
      const proxy = proxyFor(url, env);
      const name = `${url.protocol} ${proxy?.href}`;
      const requester = requesters.get(name) ?? open(url.protocol, proxy);
      requesters.set(name, requester);
      return (await requester)(url, headers);
    },
    proxyOf: (url) => proxyFor(url, env)?.host,
  };
}

/** Where a tunnel leads, as an agent states it. */
interface TunnelTarget {
  readonly host: string;
  readonly port: number | string;
  readonly servername?: string;
}

type OnTunnel = (error: Error | null, socket?: Socket) => void;

/** Makes connections of TLS through a proxy (RFC 9110, 9.3.6), which sees only the host and the port. */
async function tunnelThrough(proxy: URL): Promise<(target: TunnelTarget, onTunnel: OnTunnel) => void> {
  const [{ request }, { connect }] = await Promise.all([moduleOf(proxy), import('node:tls')]);
  return (target, onTunnel) => {
    const host = target.host.includes(':') ? `[${target.host}]` : target.host;
    const path = `${host}:${target.port}`;
    request(proxy, { method: 'CONNECT', path, agent: false, headers: { host: path, ...loginOf(proxy) } })
      .on('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode >= 200 && statusCode < 300)
          return onTunnel(null, connect({ ...target, port: Number(target.port), socket }));
        socket.destroy();
        onTunnel(refusal(statusCode));
      })
      .on('response', (message) => {
        message.destroy();
        onTunnel(refusal(message.statusCode));
      })
      .on('error', onTunnel)
      .end();
  };
}

function refusal(status: number | undefined): ProxyRefusal {
  const why = status === 407 ? 'it requires a login' : 'it does not connect to the server';
  return new ProxyRefusal(`${why} (status ${status})`);
}

async function moduleOf({
  protocol,
}: URL): Promise<Pick<typeof import('node:https'), 'request'> & { readonly Agent: typeof import('node:http').Agent }> {
  return protocol === 'https:' ? import('node:https') : import('node:http');
}

/** The login in the URL of a proxy. */
function loginOf({ username, password }: URL): OutgoingHttpHeaders {
  if (username === '' && password === '') return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
}
