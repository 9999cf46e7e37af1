import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, Server } from 'node:net';

export type Place = { host: string; port: number };
export type Sockets = {
  port: number;
  /** Stops listening; resolves when the last connection is closed, which is left to the caller. */
  close(): Promise<void>;
};

/**
 * Node accepts one connection of a listening socket in each turn of the event loop. Under load a turn takes milliseconds, so that
 * the last of hundreds that come at once would wait for seconds. Linux spreads them over several sockets on one port.
 */
const SOCKETS = process.platform === 'linux' ? 16 : 1;

const listening = (server: Server, place: Place & { reusePort?: boolean }): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

/** The http server's own close() would also end idle connections, on which a request may be under way. */
const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    Server.prototype.close.call(server, () => resolve());
  });

/** A port that nobody else listens on. Sockets that share a port would take each other for their own. */
export async function freePort(place: Place): Promise<number> {
  // A client that is quick would otherwise keep it from closing.
  const server = createServer((socket) => socket.destroy());
  const port = await listening(server, place);
  await closed(server);
  return port;
}

/** Lets an http server listen. */
export async function openSockets(server: HttpServer, place: Place): Promise<Sockets> {
  if (SOCKETS === 1) return { port: await listening(server, place), close: () => closed(server) };
  const port = await freePort(place);
  const hand = (socket: unknown) => server.emit('connection', socket);
  const more = Array.from({ length: SOCKETS - 1 }, () => createServer({ allowHalfOpen: true, noDelay: true }, hand));
  const all: Server[] = [server, ...more];
  try {
    for (const one of all) await listening(one, { ...place, port, reusePort: true });
  } catch (error) {
    for (const one of all) one.close();
    throw error;
  }
  // Later errors, such as too many open files, pass by themselves.
  for (const one of all) one.on('error', () => {});
  return {
    port,
    async close() {
      await Promise.all(all.map(closed));
    },
  };
}
