import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app.ts';
import type { DirectReader } from './fast-post.ts';

/** An open connection: node's latest answer on it, how many of node's requests are under way, and who reads it before node does. */
export type Connection = { answer: ServerResponse | undefined; underWay: number; direct: DirectReader };

/** What the parts of a server know of each other. */
export type State = {
  /** Undefined until the port is known, before which there are no requests. */
  app: App | undefined;
  connections: Map<Socket, Connection>;
  /** How many connections there ever were. */
  accepted: number;
  /** Told to stop: no longer ready, but taking what comes. */
  isStopping: boolean;
  /** Each answer is the last of its connection. */
  isClosing: boolean;
  nextId(): string;
  /** What the Date header says. */
  date(): string;
};
