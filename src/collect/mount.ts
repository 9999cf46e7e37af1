import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { Script } from '../assets/script.ts';
import { isPrefetch } from '../classify/bot.ts';
import type { Config } from '../config.ts';
import { clientAddress, unmapped } from '../lib/address.ts';
import { type Headers, isAccepted } from '../lib/answer.ts';
import { invalid } from '../lib/errors.ts';
import { checked, messageOf, queryOf } from '../lib/input.ts';
import { type Env, markPattern, mountPath } from '../lib/paths.ts';
import type { Collector } from './collector.ts';
import { Engagement, Message, Pixel } from './payload.ts';
import type { Reason, Sender } from './record.ts';

const MESSAGE_BYTES = 8 * 1024;

/** Any page may send and load these, without a cookie and without asking first. */
const OPEN: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Daybook-Dropped',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

const UNSTORED: Headers = { ...OPEN, 'Cache-Control': 'no-store' };

/** A transparent picture of one pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const dropped = (reason: Reason | undefined): Headers =>
  reason === undefined ? UNSTORED : { ...UNSTORED, 'Daybook-Dropped': reason };

function messageIn(body: string): Message | Engagement {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Stays undefined, which is no object either.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ body: 'Must be a JSON object.' });
  }
  return 'engaged' in value ? checked(Engagement, value) : checked(Message, value);
}

/** Takes one message and says with which headers it is answered; the status is 202. */
export type Receive = (incoming: IncomingMessage) => Promise<Headers>;

/**
 * Puts the script, what it sends, and the picture for pages without it under the path that the configuration gives. The
 * function for what it sends is handed back too, for the server to call without a web Request around it.
 */
export function mountCollector(app: Hono<Env>, config: Config, collector: Collector, script: Script): Receive {
  function senderOf({ headers, socket }: IncomingMessage): Sender {
    const of = (name: string) => headers[name]?.toString();
    const peer = socket.remoteAddress ?? '';
    const country = config.countryHeader && config.trust(peer) ? of(config.countryHeader)?.toUpperCase() : undefined;
    const forwarded = of('x-forwarded-for');
    const address = clientAddress(peer, forwarded, config.trust);
    collector.saw(address, forwarded !== undefined && !config.trust(unmapped(peer)));
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
  }

  function isAhead({ headers }: IncomingMessage): boolean {
    return isPrefetch({ purpose: headers['sec-purpose']?.toString() ?? '', moz: headers['x-moz']?.toString() ?? '' });
  }

  async function receive(incoming: IncomingMessage): Promise<Headers> {
    markPattern(incoming, config.script);
    const type = incoming.headers['content-type'] ?? 'text/plain';
    if (!/^(?:text\/plain|application\/json)\s*(?:;|$)/i.test(type)) {
      throw invalid({ body: 'Must be sent as text/plain or application/json.' });
    }
    const message = messageIn(await messageOf(incoming, MESSAGE_BYTES));
    const sender = senderOf(incoming);
    const isEngagement = 'engaged' in message;
    const taken = isEngagement ? collector.engage(message, sender) : collector.take(message, sender, isAhead(incoming));
    return dropped(await taken);
  }

  mountPath(app, config.script, {
    POST: async (c) =>
      new Response(null, { status: 202, headers: { ...(await receive(c.env.incoming)), 'Content-Length': '0' } }),
  });

  mountPath(app, `${config.script}.gif`, {
    async GET(c) {
      const mark = c.req.raw.url.indexOf('?');
      const pixel = checked(Pixel, mark < 0 ? {} : queryOf(c.req.raw.url.slice(mark + 1)));
      // HEAD comes here too, and nobody looks at a picture that is not sent.
      const isSeen = c.req.method === 'GET';
      const reason = isSeen
        ? await collector.take(pixel, senderOf(c.env.incoming), isAhead(c.env.incoming))
        : undefined;
      return new Response(GIF, { status: 200, headers: { ...dropped(reason), 'Content-Type': 'image/gif' } });
    },
  });

  mountPath(app, `${config.script}.js`, {
    GET(c) {
      const { 'if-none-match': known, 'accept-encoding': accepted = '' } = c.env.incoming.headers;
      const headers: Headers = {
        ...OPEN,
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=86400',
        ETag: script.etag,
        Vary: 'Accept-Encoding',
      };
      if (known?.split(',').some((tag) => tag.trim() === script.etag)) {
        return new Response(null, { status: 304, headers });
      }
      for (const [name, bytes] of [
        ['br', script.brotli],
        ['gzip', script.gzip],
      ] as const) {
        if (isAccepted(name, String(accepted))) {
          return new Response(bytes, { status: 200, headers: { ...headers, 'Content-Encoding': name } });
        }
      }
      return new Response(script.text, { status: 200, headers });
    },
  });
  return receive;
}
