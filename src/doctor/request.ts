// Checks how an HTTP request reached the server. `daybook doctor` has other checks, and the API returns their results.
// The request for these results is the request that is checked here. The result, a finding, says whether the server
// sees the visitor's IP address, or only the IP address of a proxy.
//
// The server finds the IP address in the same way as for a hit. If a proxy is not trusted, all visitors seem to have
// the proxy's IP address. Then many visitors count as one.
//
// Example: a request comes from 10.0.0.5 with X-Forwarded-For, and --trusted-proxies lacks 10.0.0.5. The finding then
// names the flag --trusted-proxies. src/api/server.ts calls `describeArrival`.

import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { findClientAddress, isLocal, isPrivate, unmapAddress } from '../lib/http/address.ts';
import { bad, type CheckResult, fine, tell } from './result.ts';

/**
 * Headers that proxies may add, most of them with the visitor's IP address. To find the IP address of a hit, the server
 * reads only X-Forwarded-For.
 */
const HEADERS = ['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'CF-Connecting-IP', 'X-Real-IP'];
const LONGEST = 200;

/**
 * How a request arrived. `sender` is the IP address that sent the request, perhaps of a proxy. `visitor` is the IP
 * address that a hit would be counted for.
 */
type CheckedArrival = CheckResult & {
  sender: string;
  visitor: string;
  /** True if `visitor` comes from the header X-Forwarded-For. */
  believed: boolean;
  headers: { name: string; value: string }[];
};

type Seen = Omit<CheckedArrival, keyof CheckResult> & {
  isTrusted: boolean;
  header(name: string): string | undefined;
  baseUrl: URL;
};

export function describeArrival(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  config: Config,
): CheckedArrival {
  const header = (name: string) => headers[name.toLowerCase()]?.toString();
  const sender = unmapAddress(socket.remoteAddress ?? '');
  const isTrusted = config.trust(sender);
  const names = config.countryHeader === undefined ? HEADERS : [...HEADERS, config.countryHeader];
  const visitor = findClientAddress(sender, header('X-Forwarded-For'), config.trust);
  const arrival = {
    sender,
    visitor,
    believed: visitor !== sender,
    headers: names.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : { name, value: value.slice(0, LONGEST) };
    }),
  };
  const seen = { ...arrival, isTrusted, header, baseUrl: new URL(config.baseUrl) };
  const [, remedy] = FAULTS.find(([isSo]) => isSo(seen)) ?? [];
  const result = remedy ? bad(summarize(seen), remedy(seen)) : fine(summarize(seen));
  return { ...tell(result), ...arrival };
}

const forwarding = ({ isTrusted, sender }: Seen): Coded =>
  isTrusted ? coded('forward') : coded('forward_and_trust', { sender });

const forwardingUnlessInside = ({ isTrusted, sender }: Seen): Coded =>
  isTrusted ? coded('unless_inside_forward') : coded('unless_inside_forward_and_trust', { sender });

/**
 * The possible faults with their remedies, the likeliest fault first. The first fault that is found gives the remedy.
 */
const FAULTS: [isSo: (seen: Seen) => boolean, remedy: (seen: Seen) => Coded][] = [
  [
    ({ isTrusted, sender, header }) => !isTrusted && header('CF-Connecting-IP') !== undefined && !isPrivate(sender),
    () => coded('trust_cloudflare'),
  ],
  [
    ({ isTrusted, header }) => !isTrusted && header('X-Forwarded-For') !== undefined,
    ({ sender }) => coded('trust_sender', { sender }),
  ],
  [
    ({ believed, visitor, header }) => believed && unmapAddress(header('CF-Connecting-IP') ?? visitor) !== visitor,
    () => coded('name_cloudflare'),
  ],
  [({ believed, header }) => !believed && ['Forwarded', 'CF-Connecting-IP', 'X-Real-IP'].some(header), forwarding],
  [({ believed, visitor }) => believed && isPrivate(visitor), ({ visitor }) => coded('name_visitor', { visitor })],
  [({ visitor, baseUrl }) => isPrivate(visitor) && !isLocal(baseUrl), forwardingUnlessInside],
  [
    ({ header, baseUrl }) => header('X-Forwarded-Proto') === 'https' && baseUrl.protocol === 'http:',
    () => coded('set_base_url'),
  ],
];

function summarize({ sender, visitor, believed, isTrusted, header }: Seen): Coded {
  if (believed) return coded('believed', { visitor, sender });
  if (header('X-Forwarded-For') === undefined) return coded('no_header', { visitor });
  return isTrusted ? coded('names_nobody', { visitor }) : coded('not_believed', { sender });
}
