import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';
import type { Server } from './servers.ts';

type Place = Pick<Server, 'http'>;

/** Sees each statement before a server gets it, and once it has answered; what it waits for holds that up. True lets it go no further. */
type Watcher = (sql: string, when: 'before' | 'after', host: string) => Promise<boolean> | boolean;

export type Gates = { hosts: string; hostOf(server: Place): string; watch(watcher: Watcher | undefined): void };

/** Passes all that comes on to a server, as if it were that. */
function gateOf({ http }: Place, watcher: () => Watcher | undefined) {
  const agent = new Agent({ keepAlive: true });

  const ask = (incoming: IncomingMessage, answer: ServerResponse, body: Buffer | undefined): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', url: path = '/', headers } = incoming;
      const onward = request({ agent, port: http, method, path, headers }, resolve);
      onward.on('error', reject);
      answer.once('close', () => {
        if (!answer.writableFinished) onward.destroy();
      });
      if (body) onward.end(body);
      else incoming.on('error', () => onward.destroy()).pipe(onward);
    });

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const query = new URL(incoming.url ?? '/', 'http://x').searchParams.get('query');
    const body = query === null ? await buffer(incoming) : undefined;
    const sql = query ?? String(body);
    const watch = watcher();
    const host = incoming.headers.host ?? '';
    if (await watch?.(sql, 'before', host)) {
      answer.destroy();
      return;
    }
    const got = await ask(incoming, answer, body);
    if (!watch) {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      await pipeline(got, answer);
      return;
    }
    const whole = await buffer(got);
    if (await watch(sql, 'after', host)) answer.destroy();
    else answer.writeHead(got.statusCode ?? 500, got.headers).end(whole);
  }

  return createServer((incoming, answer) => {
    pass(incoming, answer).catch(() => answer.destroy());
  });
}

/** A gate before each server, at which a test sees what it is asked. */
export async function gatesOf(t: TestContext, servers: readonly Place[]): Promise<Gates> {
  let watcher: Watcher | undefined;
  const hosts = new Map<number, string>();
  for (const server of servers) {
    const gate = gateOf(server, () => watcher);
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      gate.close();
      gate.closeAllConnections();
    });
    hosts.set(server.http, `127.0.0.1:${(gate.address() as AddressInfo).port}`);
  }
  return {
    hosts: [...hosts.values()].join(','),
    hostOf: ({ http }) => hosts.get(http) ?? '',
    watch(next) {
      watcher = next;
    },
  };
}
