import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { isPrefetch } from '../classify/bot.ts';
import type { Config } from '../config.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { findClientAddress, unmapAddress } from '../lib/http/address.ts';
import type { Client } from './outcome.ts';

/** The fields of a request that both Node's http module and daybook's own faster parser provide. */
export type Arrived = Pick<IncomingMessage, 'headers'> & { socket: Pick<Socket, 'remoteAddress'> };

/**
 * Makes a function that reads what daybook needs to know about a browser from its request. `note` is called with the IP
 * address. `isProxyIgnored` is true if a header X-Forwarded-For was ignored. Such a header came from an IP address that
 * is not a trusted proxy.
 */
export const clientReader =
  (config: Config, note: (address: string, isProxyIgnored: boolean) => void) =>
  ({ headers, socket }: Arrived): Client => {
    const header = (name: string) => headers[name]?.toString();
    const peer = socket.remoteAddress ?? '';
    const country =
      config.countryHeader && config.trust(peer) ? header(config.countryHeader)?.toUpperCase() : undefined;
    const forwarded = header('x-forwarded-for');
    const address = findClientAddress(peer, forwarded, config.trust);
    note(address, forwarded !== undefined && !config.trust(unmapAddress(peer)));
    return {
      address,
      agent: header('user-agent') ?? '',
      browser: {
        acceptLanguage: header('accept-language'),
        brands: header('sec-ch-ua'),
        platform: header('sec-ch-ua-platform'),
        mobile: header('sec-ch-ua-mobile'),
      },
      country: country !== undefined && /^(?!XX)[A-Z]{2}$/.test(country) ? country : undefined,
    };
  };

/** The header in which the server of a website passes on the IP address of a visitor. */
export const VISITOR_HEADER = 'daybook-visitor-ip';

/**
 * Replaces the IP address of a client by the visitor's IP address, which the server of a website has passed on. May be
 * called only after the token of that server was checked. The country header is ignored, because it names the country
 * of that server.
 */
export function readPassedClient(client: Client, passed: string): Client {
  if (isIP(passed) === 0) throw invalid({ [VISITOR_HEADER]: coded('no_ip') });
  return { ...client, address: unmapAddress(passed), country: undefined };
}

/** True if a browser loads a page before a visitor opens it. Such a request must not count as a pageview. */
export const isPrefetched = ({ headers }: Pick<Arrived, 'headers'>): boolean =>
  isPrefetch({ purpose: headers['sec-purpose']?.toString() ?? '', moz: headers['x-moz']?.toString() ?? '' });
