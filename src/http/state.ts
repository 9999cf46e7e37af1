import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app.ts';
import type { DirectReader } from './fast-post.ts';

/** An open connection: node's latest answer on it, the number of node's open requests, and its hand-written reader. */
export type Connection = { answer: ServerResponse | undefined; underWay: number; direct: DirectReader };

/** What the files of the HTTP server share. */
export type State = {
  /** The app; undefined until the port is known, before which there are no requests. */
  app: App | undefined;
  connections: Map<Socket, Connection>;
  /** The number of connections so far. */
  accepted: number;
  /** A stop has begun: the server is not ready any more, but still takes requests. */
  isStopping: boolean;
  /** Each answer is the last of its connection. */
  isClosing: boolean;
  nextId(): string;
  /** The text of the Date header. */
  date(): string;
};
