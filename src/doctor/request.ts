// The finding about the request itself: whether the server sees the IP address of the visitor, or that of a proxy.
//
// The IP address is read as for a hit. A proxy that is not trusted would make all visitors one. Example: a request
// from 10.0.0.5 with X-Forwarded-For, and 10.0.0.5 is not in --trusted-proxies: the finding names the flag to set.
// The API calls it (src/api/server.ts).

import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { findClientAddress, isLocal, isPrivate, unmapAddress } from '../lib/http/address.ts';
import { bad, type CheckResult, fine, tell } from './result.ts';

/** Headers in which proxies name the visitor. For hits only X-Forwarded-For is read. */
const HEADERS = ['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'CF-Connecting-IP', 'X-Real-IP'];
const LONGEST = 200;

/** The way of a request: the IP address of the sender, and the one taken as the visitor's. */
type CheckedArrival = CheckResult & {
  sender: string;
  visitor: string;
  /** Whether X-Forwarded-For gave the visitor. */
  believed: boolean;
  headers: { name: string; value: string }[];
};

type Seen = Omit<CheckedArrival, keyof CheckResult> & {
  isTrusted: boolean;
  /** Gives the value of a header, if the request has it. */
  header(name: string): string | undefined;
  baseUrl: URL;
};

/** Describes the way of a request. The IP address of the visitor is read as for a hit. */
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

/** Possible faults, the likeliest first, each with its remedy. */
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
