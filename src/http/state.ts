import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app.ts';
import type { DirectReader } from './fast-post.ts';

/**
 * An open connection. `direct` is the reader of fast-post.ts, which reads before node's http. `answer` is the latest
 * response that node's http writes. `underWay` is the number of requests to node's http that are not answered yet.
 *
 * `waiting` has a function for each request that may not begin yet. The response to the request before it must be sent
 * first.
 */
export type Connection = {
  answer: ServerResponse | undefined;
  underWay: number;
  waiting: (() => void)[];
  direct: DirectReader;
};

export type State = {
  /** The app is undefined until the port is known. No request is handled before that. */
  app: App | undefined;
  connections: Map<Socket, Connection>;
  /**
   * How many connections the server has accepted since its start. Before the server stops, it waits until this number
   * no longer grows.
   */
  accepted: number;
  /** True after a stop has begun. The server still takes requests, but /readyz says that it is not ready. */
  isStopping: boolean;
  /** True during the last part of a stop: each connection is closed after its next response. */
  isClosing: boolean;
  nextId(): string;
  /** Returns the text of the header Date. */
  date(): string;
};
