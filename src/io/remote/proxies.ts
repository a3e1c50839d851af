import { BlockList, isIP } from 'node:net';
import { BloomError } from '../../errors.ts';

/**
 * The proxy for a URL by the variables that curl reads (curl(1), ENVIRONMENT); undefined if the host is reached directly. As in curl, the
 * name http_proxy has no form in capitals: a CGI program gets HTTP_PROXY from a header of its request. Throws an `input` error for a
 * proxy that does not speak HTTP.
 */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const scheme = url.protocol.slice(0, -1);
  const ofScheme = scheme === 'http' ? env.http_proxy : (env.https_proxy ?? env.HTTPS_PROXY);
  const name = ofScheme ?? env.all_proxy ?? env.ALL_PROXY ?? '';
  if (name === '' || isExcepted(url.hostname, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
  const stated = name.includes('://') ? name : `http://${name}`;
  if (URL.canParse(stated) && /^https?:/i.test(stated)) return new URL(stated);
  throw new BloomError(
    'input',
    `cannot read from ${url.host}: the proxy in ${scheme}_proxy is not a URL of HTTP`,
    `state it as ${scheme}_proxy=http://HOST:PORT, or except the host with no_proxy=${url.hostname}`,
  );
}

/** Whether a list excepts a host: by its name, by the name of a domain above it, by an address or a block of addresses, or by `*`. */
function isExcepted(hostname: string, list: string): boolean {
  const host = plainHost(hostname);
  const names = list.split(/[\s,]+/).filter((name) => name !== '');
  return names.some((name) => {
    if (name === '*') return true;
    if (isIP(host) !== 0) return isInBlock(host, name);
    const domain = plainHost(name).replace(/^\./, '');
    return host === domain || host.endsWith(`.${domain}`);
  });
}

/** Whether an address is another one, or in a block such as 10.0.0.0/8. */
function isInBlock(address: string, name: string): boolean {
  const [network = '', bits] = name.split('/');
  const plain = plainHost(network);
  const family = isIP(plain);
  const prefix = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits);
  if (family === 0 || family !== isIP(address) || !(prefix <= (family === 4 ? 32 : 128))) return false;
  const block = new BlockList();
  const type = family === 4 ? 'ipv4' : 'ipv6';
  block.addSubnet(plain, prefix, type);
  return block.check(address, type);
}

/** A host in lower case, without the brackets of an address and the dot after a full name. */
function plainHost(name: string): string {
  return name.toLowerCase().replace(/^\[|\]$|\.$/g, '');
}
