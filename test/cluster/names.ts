import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { folder } from '../support/helpers.ts';
import { nameOf } from './growing.ts';
import { CLUSTER, rowsOn, type Server, startCluster } from './servers.ts';

/** Servers that know each other. */
export async function startServers(t: TestContext, count: number): Promise<Server[]> {
  const servers = await startCluster(folder(t), 1, count);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  return servers;
}

/** A name of a server that may come to lead to another server, as after a change in DNS. */
export async function startName(t: TestContext, { http }: Server) {
  let port = http;
  const sockets = new Set<Socket>();
  const passing = createServer((socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one.on('error', () => {}).on('close', () => other.destroy()));
      one.pipe(other);
    }
  });
  await once(passing.listen(0, '127.0.0.1'), 'listening');
  const lead = (to: Server | undefined) => {
    port = to?.http ?? 1;
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    lead(undefined);
    passing.close();
  });
  return { name: `127.0.0.1:${(passing.address() as AddressInfo).port}`, lead };
}

/** Two replicas of an app. Only the first one has a name that may lead elsewhere. */
export async function stageName<App>(t: TestContext, start: (engine: string) => Promise<App>, ack: string) {
  const [first, second] = await startServers(t, 2);
  assert.ok(first && second);
  const { name, lead } = await startName(t, first);
  const engine = `clickhouse://${name},${nameOf(second)}/own?cluster=${CLUSTER}&ack=${ack}`;
  return { first, second, name, lead, engine, app: await start(engine) };
}

export const countRows = (server: Server) => rowsOn<{ n: number }>(server, 'own', 'SELECT count() AS n FROM activity');
