import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app.ts';
import type { DirectReader } from './fast-post.ts';

/**
 * An open connection. `answer` is the latest answer of node's http. `underWay` is how many requests node's http is
 * answering. `direct` is the reader of plain messages.
 */
export type Connection = { answer: ServerResponse | undefined; underWay: number; direct: DirectReader };

export type State = {
  /** The app is undefined until the port is known. There are no requests before that. */
  app: App | undefined;
  connections: Map<Socket, Connection>;
  /** How many connections were accepted since the start. A stop waits until this number no longer grows. */
  accepted: number;
  /** True after a stop has begun. The server still takes requests, but /readyz says that it is not ready. */
  isStopping: boolean;
  /** True during the last part of a stop: each connection is closed after its next answer. */
  isClosing: boolean;
  nextId(): string;
  /** The text of the header Date. */
  date(): string;
};
