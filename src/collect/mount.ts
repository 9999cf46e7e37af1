import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { Script } from '../assets/script.ts';
import type { Config } from '../config.ts';
import { type Headers, isAccepted } from '../lib/answer.ts';
import { invalid } from '../lib/errors.ts';
import { checked, messageOf, queryOf } from '../lib/input.ts';
import { type Env, type Handler, markPattern, mountPath } from '../lib/paths.ts';
import type { Collector } from './collector.ts';
import { Engagement, Message, Pixel } from './payload.ts';
import type { Reason } from './record.ts';
import { isAhead, senderReader } from './sender.ts';

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

/** Answers with the script, packed as the browser takes it. */
const scriptHandler =
  (script: Script): Handler =>
  ({ env: { incoming } }) => {
    const { 'if-none-match': known, 'accept-encoding': accepted = '' } = incoming.headers;
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
  };

/**
 * Mounts the script, what it sends, and the picture for pages without it below the path that the configuration gives. The
 * function for what it sends is returned too, for the server to call without a web Request around it.
 */
export function mountCollector(app: Hono<Env>, config: Config, collector: Collector, script: Script): Receive {
  const senderOf = senderReader(config, collector.saw);

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

  async function pixel({ req, env: { incoming } }: Parameters<Handler>[0]): Promise<Response> {
    const mark = req.raw.url.indexOf('?');
    const message = checked(Pixel, mark < 0 ? {} : queryOf(req.raw.url.slice(mark + 1)));
    // HEAD comes here too, and nobody looks at a picture that is not sent.
    const isSeen = req.method === 'GET';
    const reason = isSeen ? await collector.take(message, senderOf(incoming), isAhead(incoming)) : undefined;
    return new Response(GIF, { status: 200, headers: { ...dropped(reason), 'Content-Type': 'image/gif' } });
  }

  mountPath(app, config.script, {
    POST: async (c) =>
      new Response(null, { status: 202, headers: { ...(await receive(c.env.incoming)), 'Content-Length': '0' } }),
  });
  mountPath(app, `${config.script}.gif`, { GET: pixel });
  mountPath(app, `${config.script}.js`, { GET: scriptHandler(script) });
  return receive;
}
