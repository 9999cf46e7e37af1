import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

export type Received = {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

/** A server on this machine that takes messages, or does with them what a test says. */
export async function receiver(t: TestContext, path = '/hook') {
  const received: Received[] = [];
  /** The status of the next answers; 0 answers nothing at all. */
  const state = { status: 204, location: '', retryAfter: '' };
  const server = createServer(async (request, response) => {
    const { method = '', url: own = '', headers } = request;
    received.push({ method, path: own, headers, body: await text(request) });
    if (state.status === 0) return;
    const { status, location, retryAfter } = state;
    const extra = { ...(location && { location }), ...(retryAfter && { 'retry-after': retryAfter }) };
    response.writeHead(status, extra).end(status === 204 ? '' : 'an answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${path}`, received, state };
}
