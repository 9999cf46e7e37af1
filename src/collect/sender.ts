import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isPrefetch } from '../classify/bot.ts';
import type { Config } from '../config.ts';
import { findClientAddress, unmapAddress } from '../lib/http/address.ts';
import type { Sender } from './outcome.ts';

/** A request that brings a message. Node's http module has read this request, or daybook's own faster reader. */
export type Arrived = Pick<IncomingMessage, 'headers'> & { socket: Pick<Socket, 'remoteAddress'> };

/**
 * Makes a function that reads the sender of a request of a browser. `note` gets each IP address, and whether the header
 * X-Forwarded-For was ignored.
 */
export const senderReader =
  (config: Config, note: (address: string, isProxyIgnored: boolean) => void) =>
  ({ headers, socket }: Arrived): Sender => {
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

/** Whether a browser loads a page in advance, before a visitor opens the page. */
export const isPrefetched = ({ headers }: Pick<Arrived, 'headers'>): boolean =>
  isPrefetch({ purpose: headers['sec-purpose']?.toString() ?? '', moz: headers['x-moz']?.toString() ?? '' });
