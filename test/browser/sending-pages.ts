// A web server with pages that have the script of daybook. What the script sends reaches the app, as from the domain of
// the site. Example: the page of a shop has a button that sends an order.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { BROWSER } from '../collect/stage.ts';
import type { TestApp } from '../support/helpers.ts';

type Pages = {
  page: string;
  /** The scripts by their path. */
  scripts: Readonly<Record<string, string>>;
  /** The app that gets the messages. */
  ask: TestApp['ask'];
  /** Called when the app has answered. */
  noteMessage(body: Record<string, unknown>, status: number): void;
};

/** Serves the pages until the test ends. Returns their origin. */
export async function serveSendingPages(t: TestContext, { page, scripts, ask, noteMessage }: Pages): Promise<string> {
  const server = createServer(async (request, answer) => {
    const script = scripts[request.url ?? ''];
    if (script) return answer.setHeader('Content-Type', 'text/javascript').end(script);
    if (request.method === 'GET') return answer.setHeader('Content-Type', 'text/html').end(page);
    const body = JSON.parse(await text(request));
    const url = body.url.replace(/^https?:\/\/[^/]+/, 'https://example.com');
    const { status } = await ask('POST', '/day', { body: { ...body, url }, headers: BROWSER });
    noteMessage(body, status);
    return answer.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
