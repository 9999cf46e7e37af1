import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps a connection open while the server still works on its answer. After 30 s without any byte, the server would
 * close the connection (src/http/server.ts). The zip of a large site may need longer for its next byte, because
 * compression collects many bytes first. For example, a table in the zip has 60 bytes a day, and counting a day may
 * take seconds.
 *
 * The connection is still closed if the client does not read the bytes that were sent (test/http/downloads.test.ts).
 */
export function waitForServer(outgoing: ServerResponse): void {
  outgoing.on('timeout', (socket: Socket) => {
    if (outgoing.writableLength > 0) socket.destroy();
    else socket.setTimeout(socket.timeout ?? 0);
  });
}
