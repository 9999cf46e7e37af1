// The listening sockets of an HTTP server. On Linux 16 sockets share the port, so that many connections at once are
// accepted quickly.
//
// Invariant: a port that another program listens on is refused before the sockets share it. Otherwise both programs
// would take connections of the other.
//
// Example: 500 clients connect at once under load. Node accepts one of each socket in a turn of the event loop, so 16
// in a turn of a few milliseconds. http/server.ts calls openSockets.

import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, Server } from 'node:net';

export type HostAndPort = { host: string; port: number };
export type Sockets = {
  port: number;
  /** Stops listening, and resolves when the last connection is closed. The caller closes connections. */
  close(): Promise<void>;
};

/** Starts to listen with an HTTP server. */
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
  // Later errors, such as too many open files, pass by themselves.
  for (const one of all) one.on('error', () => {});
  return {
    port,
    async close() {
      await Promise.all(all.map(closeServer));
    },
  };
}

/**
 * Node accepts one connection of a socket in each turn of the event loop. Under load a turn takes milliseconds, and the
 * last of hundreds would wait for seconds. Linux spreads connections over several sockets on one port.
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
 * Closes a server. The http server's own close() would also end idle connections, on which a request may have begun.
 */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    Server.prototype.close.call(server, () => resolve());
  });

/** Finds a port without another listener. Sockets that share a port would take each other's connections. */
export async function findFreePort(place: HostAndPort): Promise<number> {
  // A quick client would otherwise keep the server from closing.
  const server = createServer((socket) => socket.destroy());
  const port = await startListening(server, place);
  await closeServer(server);
  return port;
}
