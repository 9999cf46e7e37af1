// The listening sockets of an HTTP server. On Linux, 16 sockets share the port, so that many simultaneous connections
// are accepted quickly.
//
// Invariant: if another program listens on the port, the server does not start. Otherwise each of the two programs
// would get some of the other's connections.
//
// Example: 500 clients connect at the same time. In one turn of the event loop, Node accepts one connection of each
// socket. Under load a turn takes milliseconds. With 16 sockets 32 turns are enough, and with one socket it would take
// 500. http/server.ts calls openSockets.

import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, Server } from 'node:net';

export type HostAndPort = { host: string; port: number };
export type Sockets = {
  port: number;
  /**
   * Stops listening. The promise resolves after the last open connection was closed. The caller must close the open
   * connections.
   */
  close(): Promise<void>;
};

export async function openSockets(server: HttpServer, place: HostAndPort): Promise<Sockets> {
  if (SOCKETS === 1) return { port: await startListening(server, place), close: () => closeServer(server) };
  const port = await findFreePort(place);
  const hand = (socket: unknown) => server.emit('connection', socket);
  const more = Array.from({ length: SOCKETS - 1 }, () => createServer({ allowHalfOpen: true, noDelay: true }, hand));
  const all: Server[] = [server, ...more];
  try {
    for (const one of all) await startListening(one, { ...place, port, reusePort: true });
  } catch (error) {
    for (const one of all) one.close();
    throw error;
  }
  // Errors after the start, such as too many open files, are ignored. An `error` event without a listener would end the
  // process.
  for (const one of all) one.on('error', () => {});
  return {
    port,
    async close() {
      await Promise.all(all.map(closeServer));
    },
  };
}

/**
 * The number of sockets on the port. Linux spreads new connections over them. Node accepts one connection of each
 * socket in a turn of its event loop. With one socket, the last of 500 connections would wait for seconds.
 */
const SOCKETS = process.platform === 'linux' ? 16 : 1;

const startListening = (server: Server, place: HostAndPort & { reusePort?: boolean }): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

/**
 * Stops listening, but leaves connections open. The method close() of an HTTP server would also end idle connections,
 * on which a request may just have begun.
 */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    Server.prototype.close.call(server, () => resolve());
  });

/**
 * Checks that no other program listens on the port, and throws if one does. For port 0, finds a free port. Without this
 * check, Linux would let two programs share the port. Then each of them would get some of the other's connections.
 */
export async function findFreePort(place: HostAndPort): Promise<number> {
  // A client may connect to the port during this check. Its connection is closed immediately, because an open
  // connection would keep this server from closing.
  const server = createServer((socket) => socket.destroy());
  const port = await startListening(server, place);
  await closeServer(server);
  return port;
}
