// Mounts the paths of the script, of the messages that the script sends, and of the pixel for pages without JavaScript.
// The setting `script` may have several paths, and all of them are mounted. Messages to the first path are read faster
// (src/http).
//
// Invariant: a valid message gets 202, whether it is counted or not. If it cannot be stored, it gets 503. Every website
// can read the response. So the response names no reason for a drop that tells something about the visitor's IP
// address, the visitor's earlier hits or the site's blocks (test/collect/strangers.test.ts).
//
// Example: a bot sends POST /day with `{"site": "a.example", "url": "https://a.example/x"}`. The response is 202 with
// the header `Daybook-Dropped: bot`. If a block drops a visitor's hit, the response is 202 without this header. app.ts
// calls `mountCollector`.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { Config } from '../config.ts';
import { loadVitalsScript, type Script } from '../embedded/script.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { type Headers, isAccepted } from '../lib/http/answer.ts';
import { checked, readMessage, readQuery, takeMessage } from '../lib/http/input.ts';
import { type Env, type Handler, markPattern, mountPath } from '../lib/http/paths.ts';
import { once } from '../lib/once.ts';
import { type Arrived, clientReader, isPrefetched, readPassedClient, VISITOR_HEADER } from './client.ts';
import type { Collector } from './collector.ts';
import { makeScriptChoice } from './kept-parameters.ts';
import type { Client, Reason } from './outcome.ts';
import { BrowserMessage, Engagement, Measurement, type Message, openLabel, Pixel } from './payload.ts';

/**
 * Functions that take messages of the script without the router, because the router is slower. They take only messages
 * to `path`.
 */
export type Messages = {
  path: string;
  /** Resolves with the reason if the message is dropped. */
  receive(incoming: IncomingMessage): Promise<Reason | undefined>;
  /** Takes a message. If the message is invalid, this function throws at once and returns no promise. */
  take(arrived: Arrived, body: Uint8Array): Promise<Reason | undefined>;
};

/**
 * Throws if the token in the headers may not send hits of this site. `address` is the IP address of the server that
 * sent the request. This server may name the IP address of a visitor only after this check
 * (test/collect/passed-on.test.ts).
 */
export type CheckSender = (headers: IncomingHttpHeaders, domain: string, address: string) => void;

/**
 * Mounts the paths of the script, of its messages and of the pixel. Also returns functions that take a message without
 * a Request object, because making this object takes long.
 */
export function mountCollector(
  app: Hono<Env>,
  config: Config,
  collector: Collector,
  day: Script,
  checkSender: CheckSender,
): Messages {
  const readClient = clientReader(config, collector.noteClient);
  // `daybook doctor` shows the networks of visitors. The server of a website is no visitor, so it is not noted here.
  const readSender = clientReader(config, () => {});

  function readVisitor(arrived: Arrived, site: string): Client {
    const passed = arrived.headers[VISITOR_HEADER]?.toString();
    if (passed === undefined) return readClient(arrived);
    const sender = readSender(arrived);
    checkSender(arrived.headers, site, sender.address);
    const visitor = readPassedClient(sender, passed);
    collector.noteClient(visitor.address, false);
    return visitor;
  }

  function note(arrived: Arrived, body: string): Promise<Reason | undefined> {
    const message = parseMessage(body);
    const client = readVisitor(arrived, message.site);
    if ('vitals' in message) return collector.measure(message, client);
    const isEngagement = 'engaged' in message;
    return isEngagement ? collector.engage(message, client) : collector.take(message, client, isPrefetched(arrived));
  }

  async function read(incoming: IncomingMessage): Promise<Reason | undefined> {
    checkType(incoming);
    return note(incoming, await readMessage(incoming, MESSAGE_BYTES));
  }

  function receive(incoming: IncomingMessage): Promise<Reason | undefined> {
    markPattern(incoming, config.script);
    return read(incoming);
  }

  function take(arrived: Arrived, body: Uint8Array): Promise<Reason | undefined> {
    checkType(arrived);
    return note(arrived, takeMessage(body, MESSAGE_BYTES));
  }

  async function pixel({ req, env: { incoming } }: Parameters<Handler>[0]): Promise<Response> {
    const queryStart = req.raw.url.indexOf('?');
    const message = checked(Pixel, queryStart < 0 ? {} : readQuery(req.raw.url.slice(queryStart + 1)));
    // A HEAD request gets a response but does not count, because no page was shown to a visitor.
    const isShown = req.method === 'GET';
    const reason = isShown
      ? await collector.take(message, readVisitor(incoming, message.site), isPrefetched(incoming))
      : undefined;
    return new Response(GIF, { status: 200, headers: { ...answerHeaders(reason), 'Content-Type': 'image/gif' } });
  }

  const [script, vitals] = [scriptHandler(async () => day), scriptHandler(loadVitalsScript)];
  for (const path of [config.script, ...config.otherScripts]) {
    mountPath(app, path, {
      async POST({ env: { incoming } }) {
        return new Response(null, { status: 202, headers: listAcceptedHeaders(await read(incoming)) });
      },
    });
    mountPath(app, `${path}.gif`, { GET: pixel });
    mountPath(app, `${path}.js`, { GET: script });
    mountPath(app, `${path}-vitals.js`, { GET: vitals });
  }
  return { path: config.script, receive, take };
}

const MESSAGE_BYTES = 8 * 1024;

/**
 * With these headers, pages of any origin may load the script, and read the responses to their messages. The script
 * sends no cookies. Its messages are plain text, for which a browser sends no preflight request.
 */
const ANY_ORIGIN: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Daybook-Dropped',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

const UNCACHED: Headers = { ...ANY_ORIGIN, 'Cache-Control': 'no-store' };

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * The reasons for dropping a hit that the response may name. Any website can read the response. The other reasons would
 * reveal earlier hits of the visitor, a block of the site, or an IP address that the server does not count.
 */
const SAID: ReadonlySet<Reason> = new Set(['unknown-site', 'foreign-host', 'prefetch', 'crawler', 'bot', 'spam']);

const answerHeaders = (reason: Reason | undefined): Headers =>
  reason !== undefined && SAID.has(reason) ? { ...UNCACHED, 'Daybook-Dropped': reason } : UNCACHED;

function parseMessage(body: string): Message | Engagement | Measurement {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // If the text is not JSON, `value` is undefined. The next check refuses such a message.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ body: coded('no_object') });
  }
  if ('vitals' in value) return checked(Measurement, value);
  return 'engaged' in value ? checked(Engagement, value) : checked(BrowserMessage, openLabel(value));
}

function checkType({ headers }: Arrived): void {
  const type = headers['content-type'] ?? 'text/plain';
  if (/^(?:text\/plain|application\/json)\s*(?:;|$)/i.test(type)) return;
  throw invalid({ body: coded('other_type') });
}

export const listAcceptedHeaders = (reason: Reason | undefined): [name: string, value: string][] =>
  Object.entries({ ...answerHeaders(reason), 'Content-Length': '0' });

/** Responds with a script, in an encoding that the browser accepts: brotli, gzip or plain text. */
function scriptHandler(load: () => Promise<Script>): Handler {
  const choose = once(async () => makeScriptChoice(await load()));
  return async ({ req, env: { incoming } }) => {
    const queryStart = req.raw.url.indexOf('?');
    const script = queryStart < 0 ? await load() : (await choose())(req.raw.url.slice(queryStart + 1));
    const { 'if-none-match': known, 'accept-encoding': accepted = '' } = incoming.headers;
    const headers: Headers = {
      ...ANY_ORIGIN,
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
}
