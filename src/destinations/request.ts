// Sends one request to the URL of a destination, such as a channel in Slack. A person of a site chose most of these
// URLs, so a URL may lead into the private network of the operator.
//
// Invariant: the connection goes only to IP addresses that were checked just before. The name is looked up once, and
// the connection uses that result. Therefore DNS cannot return another IP address meanwhile. A redirect is not
// followed, and the body of the response is not read (test/destinations/request.test.ts).
//
// Example: only public IP addresses are allowed, and rebind.example has the IP address 127.0.0.1. The result is the
// failure `private_network`, and no connection is made. send.ts calls `request`.

import type { LookupAddress } from 'node:dns';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Coded, coded } from '../lang/coded.ts';
import { unmapAddress } from '../lib/http/address.ts';
import type { Resolve } from './resolve.ts';
import { type Allowed, findAddressFault } from './settings.ts';

export type Outgoing = { method: 'POST' | 'PUT'; url: string; headers: Record<string, string>; body: string };

/** `status` is the HTTP status of the response. If there was no response, `failure` says why. */
export type Answered =
  | { status: number; retryAfter: number | undefined; failure?: never }
  | { status?: never; failure: Coded };

/** How long a request may take in all, from the lookup to the headers of the response. */
const PATIENCE_MS = 10_000;
const HEADER_BYTES = 16 * 1024;

type Options = { allowed: Allowed; resolve: Resolve; stop: AbortSignal; patienceMs?: number };

export async function request(outgoing: Outgoing, options: Options): Promise<Answered> {
  const { allowed, stop, patienceMs = PATIENCE_MS } = options;
  const url = new URL(outgoing.url);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
  try {
    const addresses = await orAborted(findAddresses(url, options.resolve, signal), signal);
    const named = addresses.map(({ address }) => address);
    const failure = findAddressFault(url, named, allowed);
    return failure ? { failure } : await orAborted(exchange(url, outgoing, addresses, signal), signal);
  } catch (error) {
    return { failure: describe((signal.aborted ? signal.reason : error) as Fault, url, allowed) };
  }
}

async function findAddresses({ hostname }: URL, find: Resolve, signal: AbortSignal): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family === 0 ? await find(host, signal) : [{ address: host, family }];
}

/**
 * Ends the wait for some work when the signal is aborted, such as at the time limit. A lookup by the system cannot be
 * stopped, and Node may report nothing more about a broken connection. Without this function, the request could wait
 * for the lookup or the connection without end.
 */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  promise.catch(() => {});
  return Promise.race([work, promise]);
}

/**
 * Makes a function that Node calls instead of its own lookup. Therefore the connection goes only to the IP addresses in
 * `addresses`.
 */
const pin =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

function exchange(
  url: URL,
  { method, headers, body }: Outgoing,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<Answered> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve: end, reject } = Promise.withResolvers<Answered>();
  const sent = send(url, {
    ...{ method, signal, agent: false, maxHeaderSize: HEADER_BYTES, lookup: pin(addresses) },
    headers: { 'Content-Length': Buffer.byteLength(body), 'User-Agent': 'daybook', ...headers },
  });
  refuseOthers(sent, addresses);
  sent.on('error', reject);
  // Node ends the connection without an error if the receiver wants to speak another protocol (status 101).
  sent.on('close', () => reject(new Error('the connection ended')));
  sent.on('response', ({ statusCode = 0, headers: { 'retry-after': wait } }) => {
    end({ status: statusCode, retryAfter: wait !== undefined && /^\d{1,9}$/.test(wait) ? Number(wait) : undefined });
    sent.destroy();
  });
  sent.end(body);
  return promise;
}

/**
 * Ends a connection to an IP address that is not in `addresses`. Such a connection is possible only if Node ignores the
 * function that `pin` returns.
 */
function refuseOthers(sent: ClientRequest, addresses: readonly LookupAddress[]): void {
  const known = new Set(addresses.map(({ address }) => unmapAddress(address)));
  sent.on('socket', (socket) =>
    socket.prependOnceListener('connect', () => {
      if (!known.has(unmapAddress(socket.remoteAddress ?? ''))) socket.destroy(new Error('another IP address'));
    }),
  );
}

type Fault = Error & { code?: string | number };

const UNKNOWN_NAMES = ['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EBADNAME', 'EAI_AGAIN', 'EAI_NONAME', 'EAI_NODATA'];

/**
 * Says why a request failed. The answer has neither the path of the URL nor the sent text, because both may be secret.
 * If only public IP addresses are allowed, an unknown host gets the same answer as a host in the private network.
 * Otherwise, the people of a site could find out which hosts the private network has.
 */
function describe({ name, code: given }: Fault, { host, hostname }: URL, allowed: Allowed): Coded {
  const code = typeof given === 'string' ? given : name;
  if (name === 'TimeoutError' || code === 'ETIMEOUT') return coded('no_answer_in_time');
  if (UNKNOWN_NAMES.includes(code))
    return allowed === 'public' ? coded('private_network', { host: hostname }) : coded('unknown_host', { host });
  if (/CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code)) return coded('bad_certificate', { host, code });
  return coded('no_connection', { code });
}
