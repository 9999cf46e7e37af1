// Reads plain messages of a connection (src/lib/http/simple-post.ts) without node's http, one after another. As soon as
// other bytes come, node's http gets the connection and keeps it. Node's http is slower, because it makes two streams
// with listeners for each request.
//
// Processor time of one hit, the median of 15 turns of 3 s (`npm run bench:readers`, November 2026, 2 busy cores): with
// 64 connections 65 µs with this reader, and 95 µs with node's http. With 256 connections 53 µs with this reader, and
// 84 µs with node's http.
//
// A program from which this reader was removed took 87 µs with 64 connections, and 86 µs with 256. With this reader,
// the program took 61 µs and 65 µs, which is 29 % and 26 % less. If the saving falls below 25 %, this file should be
// deleted.
//
// Invariant: each message is answered before the next one is read. A message means the same as in node's http
// (test/http/fast-post.test.ts, test/http/both-readers.test.ts). src/http/messages.ts calls `readDirectly` for each new
// connection.

import type { Socket } from 'node:net';
import type { PlainPost } from '../lib/http/simple-post.ts';

export type Answer = {
  /** A string if all bytes are ASCII, because Node writes a string fastest. */
  bytes: string | Buffer;
  /** Whether the connection is closed after this answer. */
  isLast: boolean;
};

export type Direct = {
  /** Reads a plain message. Undefined for all other bytes. */
  plainPost(bytes: Buffer): PlainPost | undefined;
  /** Answers a message. The promise never rejects. */
  answer(post: PlainPost, socket: Socket): Promise<Answer>;
  /** Hands a connection over to node's http, with the bytes that were read last. */
  handOver(socket: Socket, bytes: Buffer): void;
  /**
   * How many seconds a connection may be silent: a new connection (`first`), and one that was answered before (`next`).
   */
  patience: { first: number; next: number };
};

export type DirectReader = {
  /**
   * Whether the connection waits for a request and this reader reads it. After a request that is not plain, node's http
   * reads the connection.
   */
  isIdle(): boolean;
  /**
   * Gives the number of the event at which the client last sent bytes, counted over all connections. So the connection
   * with the lowest number has waited longest. Undefined while a message is answered.
   */
  heardAt(): number | undefined;
  /** Tells this reader that node's http begins or ends a request, so that the connection does not count as silent. */
  touch(): void;
  /**
   * Called once a second for each connection; ends a connection that was silent too long. A timer per connection would
   * cost time with every hit.
   */
  look(): void;
};

export function readDirectly(socket: Socket, { plainPost, answer, handOver, patience }: Direct): DirectReader {
  let isReading = true;
  let isUnderWay = false;
  let isEnded = false;
  /** Bytes that the client sent before it got the last answer. They are read after that answer. */
  let early: Buffer | undefined;
  let looks = 0;
  let turn = ++turns;
  let most = patience.first;

  const drop = () => socket.destroy();

  function touch(): void {
    looks = 0;
    turn = ++turns;
  }

  function read(bytes: Buffer): void {
    if (isUnderWay) {
      socket.pause();
      early = bytes;
      return;
    }
    touch();
    const post = plainPost(bytes);
    if (post) take(post);
    else leave(bytes);
  }

  function take(post: PlainPost): void {
    isUnderWay = true;
    most = patience.next;
    void answer(post, socket).then(reply);
  }

  function reply({ bytes, isLast }: Answer): void {
    if (socket.destroyed) return;
    const isTaken = socket.write(bytes, 'latin1');
    if (isLast || isEnded) socket.destroySoon();
    else if (isTaken) next();
    else socket.pause().once('drain', next);
  }

  function next(): void {
    isUnderWay = false;
    const bytes = early;
    early = undefined;
    if (bytes) read(bytes);
    else if (socket.isPaused()) socket.resume();
  }

  function end(): void {
    isEnded = true;
    if (!isUnderWay) socket.end();
  }

  function leave(bytes: Buffer): void {
    isReading = false;
    socket.off('data', read).off('end', end).off('error', drop).pause();
    handOver(socket, bytes);
  }

  socket.on('data', read).on('end', end).on('error', drop);
  return {
    isIdle: () => isReading && !isUnderWay,
    heardAt: () => (isUnderWay ? undefined : turn),
    touch,
    look(): void {
      if (++looks > most && isReading) drop();
    },
  };
}

/**
 * How many events there were on all connections. An event is a new connection, bytes that came, or the begin or end of
 * a request. A connection notes the number of its last event and not the time. So the order is known even for events of
 * the same moment. The connection with the lowest number has waited longest.
 */
let turns = 0;
