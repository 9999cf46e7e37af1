import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { client, type Daybook } from '../../client/src/index.ts';
import { BROWSER } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';

type App = Awaited<ReturnType<typeof startApp>>;
type Stage = App & { daybook: Daybook; asked: string[]; count(...paths: string[]): Promise<void> };

/** The owner's client of an app without a socket, and the addresses that it asked. */
export async function stage(t: TestContext, settings = {}): Promise<Stage> {
  const app = await startApp(t, settings);
  const asked: string[] = [];
  const daybook = client({
    url: 'https://stats.example.com/',
    token: app.owner.token,
    async fetch(url, { method = '', headers, body, signal }) {
      signal?.throwIfAborted();
      const { pathname, search, origin } = new URL(url);
      assert.equal(origin, 'https://stats.example.com');
      asked.push(`${method} ${pathname}${search}`);
      const { authorization, ...sent } = Object.fromEntries(new Headers(headers));
      const more = typeof body === 'string' ? { body } : {};
      const token = authorization?.replace('Bearer ', '');
      const answer = await app.ask(method, pathname + search, { token, headers: sent, ...more });
      return new Response(answer.text || null, { status: answer.status, headers: answer.headers });
    },
  });
  /** Views these pages in a browser. */
  async function count(...paths: string[]): Promise<void> {
    for (const path of paths) {
      const body = { site: 'example.com', url: `https://example.com${path}` };
      assert.equal((await app.ask('POST', '/day', { body, headers: BROWSER })).status, 202);
    }
  }
  return Object.assign(app, { daybook, asked, count });
}
