import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { clientAddress, isLocal, isPrivate, unmapped } from '../lib/address.ts';
import type { Finding } from './examine.ts';

/** In which proxies say whom they ask for. Only the first is read, beside the country's where that is configured. */
const HEADERS = ['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'CF-Connecting-IP', 'X-Real-IP'];
const LONGEST = 200;

/** How a request came: who sent it, and who is taken to be behind that. */
type Arrival = Omit<Finding, 'name'> & {
  sender: string;
  visitor: string;
  /** Whether the visitor was read from X-Forwarded-For. */
  believed: boolean;
  headers: { name: string; value: string }[];
};

type Seen = Omit<Arrival, 'fine' | 'says' | 'remedy'> & {
  isTrusted: boolean;
  /** One of the headers; undefined where it did not come. */
  said(name: string): string | undefined;
  baseUrl: URL;
};

const CLOUDFLARE = 'the address blocks of Cloudflare';
const UNLESS = 'unless you are in the network of the server yourself, ';

const forwarding = ({ isTrusted, sender }: Seen): string =>
  `let the proxy send X-Forwarded-For${isTrusted ? '' : `, and start the server with --trusted-proxies ${sender}`}`;

/** What looks wrong, the likeliest first, and what to do about it. */
const WRONGS: [isSo: (seen: Seen) => boolean, remedy: (seen: Seen) => string][] = [
  [
    ({ isTrusted, sender, said }) => !isTrusted && said('CF-Connecting-IP') !== undefined && !isPrivate(sender),
    () => `start the server with --trusted-proxies and ${CLOUDFLARE}`,
  ],
  [
    ({ isTrusted, said }) => !isTrusted && said('X-Forwarded-For') !== undefined,
    ({ sender }) => `if ${sender} is your proxy, start the server with --trusted-proxies ${sender}`,
  ],
  [
    ({ believed, visitor, said }) => believed && unmapped(said('CF-Connecting-IP') ?? visitor) !== visitor,
    () => `name ${CLOUDFLARE} in --trusted-proxies too`,
  ],
  [({ believed, said }) => !believed && ['Forwarded', 'CF-Connecting-IP', 'X-Real-IP'].some(said), forwarding],
  [
    ({ believed, visitor }) => believed && isPrivate(visitor),
    ({ visitor }) => `${UNLESS}name ${visitor} in --trusted-proxies too`,
  ],
  [({ visitor, baseUrl }) => isPrivate(visitor) && !isLocal(baseUrl), (seen) => UNLESS + forwarding(seen)],
  [
    ({ said, baseUrl }) => said('X-Forwarded-Proto') === 'https' && baseUrl.protocol === 'http:',
    () => 'start the server with --base-url and the https address under which people reach it',
  ],
];

function words({ sender, visitor, believed, isTrusted, said }: Seen): string {
  if (believed) return `from ${visitor}, by the word of ${sender}, which is a trusted proxy`;
  if (said('X-Forwarded-For') === undefined) return `from ${visitor}, without X-Forwarded-For`;
  return isTrusted
    ? `from ${visitor}, and X-Forwarded-For names nobody else`
    : `from ${sender}, whose X-Forwarded-For is not believed`;
}

/** Takes a request as the collector would take a hit that came the same way. */
export function arrivalOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, config: Config): Arrival {
  const said = (name: string) => headers[name.toLowerCase()]?.toString();
  const sender = unmapped(socket.remoteAddress ?? '');
  const isTrusted = config.trust(sender);
  const names = config.countryHeader === undefined ? HEADERS : [...HEADERS, config.countryHeader];
  const visitor = clientAddress(sender, said('X-Forwarded-For'), config.trust);
  const came = {
    sender,
    visitor,
    believed: visitor !== sender,
    headers: names.flatMap((name) => {
      const value = said(name);
      return value === undefined ? [] : { name, value: value.slice(0, LONGEST) };
    }),
  };
  const seen = { ...came, isTrusted, said, baseUrl: new URL(config.baseUrl) };
  const [, remedy] = WRONGS.find(([isSo]) => isSo(seen)) ?? [];
  return { fine: !remedy, says: words(seen), ...(remedy ? { remedy: remedy(seen) } : {}), ...came };
}
