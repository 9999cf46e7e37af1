import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app.ts';
import { acceptedHeaders } from '../collect/mount.ts';
import type { Reason } from '../collect/outcome.ts';
import { cached } from '../lib/cache.ts';
import { once } from '../lib/once.ts';
import { type PlainPost, plainPosts } from '../lib/plain-post.ts';
import { wireHead, wireProblem } from './answer.ts';
import { type Direct, readDirectly } from './direct.ts';
import type { Connection, State } from './state.ts';

/** The answer to a plain message. All but the last lines is the same for nearly all of them. */
function answerer(state: State, app: App, { keepAliveTimeout }: Server): Direct['answer'] {
  const { take, path } = app.messages;
  const head = cached((reason: Reason | '') => wireHead(202, acceptedHeaders(reason || undefined)));
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeout / 1000}\r\n`;

  return async ({ headers, body, isLast }: PlainPost, socket: Socket) => {
    const [id, date] = [state.nextId(), state.date()];
    try {
      const reason = await take({ headers, socket }, body);
      app.answered?.('POST', path, 202);
      const isClosed = isLast || state.isClosing;
      const connection = isClosed ? 'Connection: close\r\n' : kept;
      const text = `${head(reason ?? '')}X-Request-Id: ${id}\r\nDate: ${date}\r\n${connection}\r\n`;
      return { text, isLast: isClosed };
    } catch (error) {
      const problem = app.problemIn(error, id);
      app.answered?.('POST', path, problem.status);
      return { text: wireProblem(problem, { id, date }), isLast: true };
    }
  };
}

/**
 * Puts a reader of plain messages before node's http, which gets each connection with the first thing on it that is none. Returns
 * what begins to read a connection.
 */
export function messagesFirst(server: Server, state: State): (socket: Socket) => Connection['isIdle'] {
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
      plainPost: plainPosts(app.messages.path),
      answer: answerer(state, app, server),
      handOver,
      waits: { first: server.headersTimeout, next: server.keepAliveTimeout },
    };
  });
  return (socket) => readDirectly(socket, direct());
}
