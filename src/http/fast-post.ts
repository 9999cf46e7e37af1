// Reads plain messages of a connection without node's http, one after another. A plain message is a POST request that
// sends a hit. All parsers understand it in only one way (src/lib/http/simple-post.ts). As soon as other bytes arrive,
// node's http gets the connection and keeps it. This reader is faster because node's http makes two streams for each
// request.
//
// Processor time of one hit, the median of 15 runs (`npm run bench:readers`, November 2026, 2 busy cores): with 64
// connections, 65 µs with this reader, and 95 µs with node's http. On another day, a hit took 61 µs, and 87 µs in a
// program without this file. So the reader saves 30 %. Delete this file if the saving falls below 25 %.
//
// Invariant: each message is answered before the next one is read. A message has the same effect as through node's http
// (test/http/fast-post.test.ts, test/http/both-readers.long.test.ts). src/http/messages.ts calls `readDirectly` for
// each new connection.

import type { Socket } from 'node:net';
import type { PlainPost } from '../lib/http/simple-post.ts';

export type Answer = {
  /**
   * The bytes of the response. They are a string if they are all ASCII, because Node writes a string faster than a
   * buffer.
   */
  bytes: string | Buffer;
  /** True if the connection must be closed after this response. */
  isLast: boolean;
};

export type Direct = {
  /** Reads one whole plain message. Returns undefined for all other bytes, which node's http then reads. */
  plainPost(bytes: Buffer): PlainPost | undefined;
  /** Answers a message. The promise never rejects. */
  answer(post: PlainPost, socket: Socket): Promise<Answer>;
  /** Hands a connection over to node's http, with the bytes that were read last. */
  handOver(socket: Socket, bytes: Buffer): void;
  /**
   * How many seconds a connection may be silent. `first` is for a new connection, and `next` is for a connection after
   * a response.
   */
  patience: { first: number; next: number };
};

export type DirectReader = {
  /**
   * True if this reader waits for the next request. False while a message is answered, and after node's http got the
   * connection.
   */
  isIdle(): boolean;
  /**
   * Returns the number of the connection's last event, such as the arrival of bytes. The events of all connections are
   * numbered in one series. Therefore the connection with the lowest number has waited longest for its client. Returns
   * undefined while a message is answered.
   */
  heardAt(): number | undefined;
  /**
   * Notes an event. The caller calls this function when node's http begins or ends a request on this connection.
   * Otherwise, the connection would count as silent.
   */
  touch(): void;
  /**
   * Ends this connection if it was silent for too long. The caller calls this function once a second. A timer for each
   * connection would take more time, because each hit would set it again.
   */
  look(): void;
};

export function readDirectly(socket: Socket, { plainPost, answer, handOver, patience }: Direct): DirectReader {
  let isReading = true;
  let isUnderWay = false;
  let isEnded = false;
  /** Bytes that the client sent before it got the response to its last request. They are read after that response. */
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
 * Counts the events on all connections: a new connection, arriving bytes, or the beginning or end of a request. Each
 * connection stores the number of its last event. A time would not do, because two events may have the same time.
 */
let turns = 0;
