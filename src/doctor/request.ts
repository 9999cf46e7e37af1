import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { clientAddress, isLocal, isPrivate, unmapped } from '../lib/http/address.ts';
import type { Finding } from './examine.ts';

/** Headers in which proxies name the visitor. Only the first is read for hits, and that of the country where one is set. */
const HEADERS = ['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'CF-Connecting-IP', 'X-Real-IP'];
const LONGEST = 200;

/** How a request came: from which address, and which one is taken for the visitor's. */
type Arrival = Omit<Finding, 'name'> & {
  sender: string;
  visitor: string;
  /** Whether the visitor was read from X-Forwarded-For. */
  believed: boolean;
  headers: { name: string; value: string }[];
};

type Seen = Omit<Arrival, 'fine' | 'says' | 'remedy'> & {
  isTrusted: boolean;
  /** The value of one of the headers, if it was sent. */
  header(name: string): string | undefined;
  baseUrl: URL;
};

const CLOUDFLARE = 'the address blocks of Cloudflare';
const UNLESS = 'unless you are in the network of the server yourself, ';

const forwarding = ({ isTrusted, sender }: Seen): string =>
  `let the proxy send X-Forwarded-For${isTrusted ? '' : `, and start the server with --trusted-proxies ${sender}`}`;

/** What may be wrong, the likeliest first, and what to do about it. */
const FAULTS: [isSo: (seen: Seen) => boolean, remedy: (seen: Seen) => string][] = [
  [
    ({ isTrusted, sender, header }) => !isTrusted && header('CF-Connecting-IP') !== undefined && !isPrivate(sender),
    () => `start the server with --trusted-proxies and ${CLOUDFLARE}`,
  ],
  [
    ({ isTrusted, header }) => !isTrusted && header('X-Forwarded-For') !== undefined,
    ({ sender }) => `if ${sender} is your proxy, start the server with --trusted-proxies ${sender}`,
  ],
  [
    ({ believed, visitor, header }) => believed && unmapped(header('CF-Connecting-IP') ?? visitor) !== visitor,
    () => `name ${CLOUDFLARE} in --trusted-proxies too`,
  ],
  [({ believed, header }) => !believed && ['Forwarded', 'CF-Connecting-IP', 'X-Real-IP'].some(header), forwarding],
  [
    ({ believed, visitor }) => believed && isPrivate(visitor),
    ({ visitor }) => `${UNLESS}name ${visitor} in --trusted-proxies too`,
  ],
  [({ visitor, baseUrl }) => isPrivate(visitor) && !isLocal(baseUrl), (seen) => UNLESS + forwarding(seen)],
  [
    ({ header, baseUrl }) => header('X-Forwarded-Proto') === 'https' && baseUrl.protocol === 'http:',
    () => 'start the server with --base-url and the https address under which people reach it',
  ],
];

function summaryOf({ sender, visitor, believed, isTrusted, header }: Seen): string {
  if (believed) return `from ${visitor}, as the trusted proxy ${sender} says`;
  if (header('X-Forwarded-For') === undefined) return `from ${visitor}, without X-Forwarded-For`;
  return isTrusted
    ? `from ${visitor}, and X-Forwarded-For names nobody else`
    : `from ${sender}, whose X-Forwarded-For is not believed`;
}

/** Reads the visitor's address as the collector would for a hit that came the same way. */
export function arrivalOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, config: Config): Arrival {
  const header = (name: string) => headers[name.toLowerCase()]?.toString();
  const sender = unmapped(socket.remoteAddress ?? '');
  const isTrusted = config.trust(sender);
  const names = config.countryHeader === undefined ? HEADERS : [...HEADERS, config.countryHeader];
  const visitor = clientAddress(sender, header('X-Forwarded-For'), config.trust);
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
  return { fine: !remedy, says: summaryOf(seen), ...(remedy ? { remedy: remedy(seen) } : {}), ...arrival };
}
