/** Downloads of a site's hits, and a site with three days, for the tests of exports. */
import type { TestContext } from 'node:test';
import { makeExports } from '../../src/exchange/exports.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { openSite } from '../stats/stage.ts';
import type { startApp } from '../support/helpers.ts';
import { requestOf } from '../support/requests.ts';

export type App = Awaited<ReturnType<typeof startApp>>;

/** The bytes of a download, with the headers that a browser reads. */
export async function download(app: App, path: string, { method = 'GET', token = app.owner.token } = {}) {
  const { request, bindings } = requestOf({ token });
  const response = await app.app.hono.request(`/api/v1${path}`, { method, ...request }, bindings);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Two sealed days and an open one, with a visit of two hits and a heartbeat. */
export async function stageDays(app: App) {
  const site = await openSite(app);
  await site.store([
    pageview({ day: TODAY - 2, country: 'DE' }),
    pageview({ day: TODAY - 2, second: 43_260, page: '/a' }),
    pageview({ day: TODAY - 2, second: 43_300, page: '/a', engaged: 40 }),
    pageview({ day: TODAY - 1, visitor: 2, page: '/ü' }),
  ]);
  await app.seal();
  await site.store([pageview({ second: 5, visitor: 3 })]);
  return site.known.domain;
}

export const siteOf = ({ db }: App, domain: string): number =>
  db.one<{ id: number }>('SELECT id FROM site WHERE domain = ?', domain)?.id ?? 0;

export const forever = () => new AbortController().signal;

/** Exports of a site that no command reads, because a script stands in for it. */
export const ORDER = { accountId: 1, siteId: 1, domain: 'example.com', format: 'csv', range: undefined };

/** Exports beside the server, and the lines of their log. */
export function exportsIn(t: TestContext, { db, engine }: Pick<App['config'], 'db' | 'engine'>, longest?: number) {
  const lines: string[] = [];
  const exports = makeExports({ path: db, engine }, (what) => void lines.push(what), longest);
  t.after(exports.close);
  return { exports, lines };
}
