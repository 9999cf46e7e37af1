import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { clientAddress, isLocal, isPrivate, unmapped } from '../lib/http/address.ts';
import { bad, fine, type Told, tell } from './result.ts';

/** Headers in which proxies name the visitor. Only the first is read for hits, and that of the country where one is set. */
const HEADERS = ['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'CF-Connecting-IP', 'X-Real-IP'];
const LONGEST = 200;

/** How a request came: from which address, and which one is taken for the visitor's. */
type Arrival = Told & {
  sender: string;
  visitor: string;
  /** Whether the visitor was read from X-Forwarded-For. */
  believed: boolean;
  headers: { name: string; value: string }[];
};

type Seen = Omit<Arrival, keyof Told> & {
  isTrusted: boolean;
  /** The value of one of the headers, if it was sent. */
  header(name: string): string | undefined;
  baseUrl: URL;
};

const forwarding = ({ isTrusted, sender }: Seen): Coded =>
  isTrusted ? coded('forward') : coded('forward_and_trust', { sender });

const forwardingUnlessInside = ({ isTrusted, sender }: Seen): Coded =>
  isTrusted ? coded('unless_inside_forward') : coded('unless_inside_forward_and_trust', { sender });

/** What may be wrong, the likeliest first, and what to do about it. */
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
    ({ believed, visitor, header }) => believed && unmapped(header('CF-Connecting-IP') ?? visitor) !== visitor,
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

function summaryOf({ sender, visitor, believed, isTrusted, header }: Seen): Coded {
  if (believed) return coded('believed', { visitor, sender });
  if (header('X-Forwarded-For') === undefined) return coded('no_header', { visitor });
  return isTrusted ? coded('names_nobody', { visitor }) : coded('not_believed', { sender });
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
  const result = remedy ? bad(summaryOf(seen), remedy(seen)) : fine(summaryOf(seen));
  return { ...tell(result), ...arrival };
}
