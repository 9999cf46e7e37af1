// Lets the reader in fast-post.ts read each connection first, because it is faster than node's http. The reader
// understands only plain messages: POST requests of a simple form that send a hit. As soon as other bytes arrive,
// node's http takes over the connection. This file also writes the responses to the messages that fast-post.ts has
// read.
//
// Invariant: a response has the headers that node's http would send (test/http/fast-post.test.ts). The request id, the
// date and the headers about the connection are written for each response. An accepted message gets status 202, even if
// its hit is dropped. The other headers of this response depend only on the reason of the drop. So their text is made
// once for each reason.
//
// Example: `HTTP/1.1 202 Accepted · Access-Control-Allow-Origin: * · … · X-Request-Id: x7-1f · Date: … · Connection:
// keep-alive`. The server (src/http/server.ts) makes a reader for each new connection. One timer for all connections
// ends silent connections.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app.ts';
import { listAcceptedHeaders } from '../collect/mount.ts';
import type { Reason } from '../collect/outcome.ts';
import { cached } from '../lib/cache.ts';
import { makePostReader } from '../lib/http/simple-post.ts';
import { once } from '../lib/once.ts';
import { writeHead, writeProblem } from './answer-head.ts';
import { type Answer, type Direct, type DirectReader, readDirectly } from './fast-post.ts';
import type { State } from './state.ts';

const LOOK_MS = 1_000;
const NOT_READ: DirectReader = { isIdle: () => false, heardAt: () => 0, touch: () => {}, look: () => {} };

/**
 * Removes the listener of node's http, which is slower for hits. Returns the function that makes a reader for a new
 * connection.
 */
export function readMessagesFirst(server: Server, state: State): (socket: Socket) => DirectReader {
  const [nodes] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');

  function handOver(socket: Socket, bytes: Buffer): void {
    nodes?.call(server, socket);
    socket.unshift(bytes);
    socket.resume();
  }

  const direct = once((): Direct => {
    const app = state.app as App;
    return {
      plainPost: makePostReader(app.messages.path),
      answer: makeAnswerer(state, app, server),
      handOver,
      patience: { first: server.headersTimeout / LOOK_MS, next: server.keepAliveTimeout / LOOK_MS },
    };
  });
  const looks = setInterval(() => {
    for (const one of state.connections.values()) one.direct.look();
  }, LOOK_MS).unref();
  server.once('close', () => clearInterval(looks));
  return (socket) => {
    if (state.app) return readDirectly(socket, direct());
    // A client may connect before the app is built. Node's http then reads the connection from the beginning.
    nodes?.call(server, socket);
    return NOT_READ;
  };
}

function makeAnswerer(state: State, app: App, { keepAliveTimeout }: Server): Direct['answer'] {
  const { take, path } = app.messages;
  const head = cached((reason: Reason | '') => writeHead(202, listAcceptedHeaders(reason || undefined)));
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeout / 1000}\r\n`;

  return ({ headers, body, isLast }, socket) => {
    const [id, date] = [state.nextId(), state.date()];

    function accepted(reason: Reason | undefined): Answer {
      app.answered?.('POST', path, 202);
      const isClosed = isLast || state.isClosing;
      const connection = isClosed ? 'Connection: close\r\n' : kept;
      const bytes = `${head(reason ?? '')}X-Request-Id: ${id}\r\nDate: ${date}\r\n${connection}\r\n`;
      return { bytes, isLast: isClosed };
    }

    function refused(error: unknown): Answer {
      const problem = app.reportProblem(error, id);
      app.answered?.('POST', path, problem.status);
      return { bytes: Buffer.from(writeProblem(problem, { id, date })), isLast: true };
    }

    try {
      return take({ headers, socket }, body).then(accepted, refused);
    } catch (error) {
      return Promise.resolve(refused(error));
    }
  };
}
