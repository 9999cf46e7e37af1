import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps a connection open while the server still works on its answer. The server closes a connection without any byte
 * after 30 s (src/http/server.ts). The zip of a large site may have no byte for longer. For example, one of its tables
 * has 60 bytes a day, and counting a day may take seconds.
 *
 * A client that does not take the bytes that it has got is still let go (test/http/downloads.test.ts).
 */
export function waitForServer(outgoing: ServerResponse): void {
  outgoing.on('timeout', (socket: Socket) => {
    if (outgoing.writableLength > 0) socket.destroy();
    else socket.setTimeout(socket.timeout ?? 0);
  });
}
