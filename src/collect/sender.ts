import type { IncomingMessage } from 'node:http';
import { isPrefetch } from '../classify/bot.ts';
import type { Config } from '../config.ts';
import { clientAddress, unmapped } from '../lib/address.ts';
import type { Sender } from './record.ts';

/** Reads from a browser's request who sent it. `saw` is called with each address, and whether a proxy's word for it was not taken. */
export const senderReader =
  (config: Config, saw: (address: string, isUnheeded: boolean) => void) =>
  ({ headers, socket }: IncomingMessage): Sender => {
    const of = (name: string) => headers[name]?.toString();
    const peer = socket.remoteAddress ?? '';
    const country = config.countryHeader && config.trust(peer) ? of(config.countryHeader)?.toUpperCase() : undefined;
    const forwarded = of('x-forwarded-for');
    const address = clientAddress(peer, forwarded, config.trust);
    saw(address, forwarded !== undefined && !config.trust(unmapped(peer)));
    return {
      address,
      agent: of('user-agent') ?? '',
      browser: {
        acceptLanguage: of('accept-language'),
        brands: of('sec-ch-ua'),
        platform: of('sec-ch-ua-platform'),
        mobile: of('sec-ch-ua-mobile'),
      },
      ...(country !== undefined && /^(?!XX)[A-Z]{2}$/.test(country) ? { country } : {}),
    };
  };

/** Whether a browser asked ahead, for a page that nobody looks at yet. */
export const isAhead = ({ headers }: IncomingMessage): boolean =>
  isPrefetch({ purpose: headers['sec-purpose']?.toString() ?? '', moz: headers['x-moz']?.toString() ?? '' });
