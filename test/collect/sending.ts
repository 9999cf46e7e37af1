import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { type Answer, type Asking, answerOf } from '../support/requests.ts';
import { BROWSER, CURL, GPTBOT, NOWHERE } from './stage.ts';

export const PAGE = { site: 'example.com', url: 'https://example.com/' };

/** An application, and a browser that sends it messages and looks at its pictures. */
export async function stage(t: TestContext, settings: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, settings);
  const as = (asking: Asking): Asking => ({ ...asking, headers: { ...BROWSER, ...asking.headers } });
  const send = (message: unknown, asking: Asking = {}): Promise<Answer> =>
    app.ask('POST', app.config.script, as({ body: message, ...asking }));
  const look = (query: string, asking: Asking = {}): Promise<Answer> =>
    app.ask('GET', `${app.config.script}.gif${query}`, as(asking));
  return { ...app, send, look, as };
}

export type Stage = Awaited<ReturnType<typeof stage>>;

export const reasonOf = ({ status, headers, text }: Answer): string | null => {
  assert.deepEqual([status, text], [202, '']);
  return headers.get('Daybook-Dropped');
};

export const PIXEL = `?site=example.com&url=${encodeURIComponent('https://example.com/pixel?utm_source=mail')}`;

/** A message as node hands it over, whose body comes in pieces. */
export async function sendPieces({ app }: Stage, pieces: Readable): Promise<Answer> {
  const incoming = Object.assign(pieces, { headers: BROWSER, socket: { remoteAddress: NOWHERE } });
  return await answerOf(await app.hono.request('/day', { method: 'POST' }, { incoming } as never));
}

/** Why something is not counted, and a message that is not counted for it. */
export const DROPPED: [reason: string, message: object, headers?: Record<string, string>][] = [
  ['unknown-site', { ...PAGE, site: 'nobody.example' }],
  ['unknown-site', { ...PAGE, site: 'www.example.com' }],
  ['unknown-site', { ...PAGE, site: 'nobody.example', engaged: 1000 }],
  ['foreign-host', { ...PAGE, url: 'https://example.org/' }],
  ['foreign-host', { ...PAGE, url: 'https://example.org/', engaged: 1000 }],
  ['bot', PAGE, { 'user-agent': CURL }],
  ['bot', PAGE, { 'user-agent': '' }],
  ['bot', PAGE, { 'accept-language': '' }],
  ['bot', PAGE, { 'sec-ch-ua': '"HeadlessChrome";v="141"' }],
  ['crawler', PAGE, { 'user-agent': GPTBOT }],
  ['spam', { ...PAGE, referrer: 'https://www.semalt.com/x' }],
  ['prefetch', PAGE, { 'sec-purpose': 'prefetch;prerender' }],
  ['prefetch', PAGE, { 'x-moz': 'prefetch' }],
];
