// Reads a connection by hand for as long as it brings plain messages (src/lib/http/simple-post.ts), one after another. With the first
// thing that is none, node's http gets the connection for good. Node's http makes two streams and their listeners of each request.
//
// Processor time a hit, in the median of 15 turns of 3 s (`npm run bench:readers`, November 2026, 2 busy cores):
//
//   64 connections: 65 µs, by node's http 95 µs; 256 connections: 53 and 84 µs
//
// A program built without this reader took 87 and 86 µs, and 61 and 65 µs with it: 29 and 26 % less. Below a quarter it is to be deleted.
// Each message is answered before the next is read, and nothing means here what it would not mean to node
// (test/http/fast-post.test.ts, test/http/both-readers.test.ts). src/http/messages.ts calls it for each new connection.

import type { Socket } from 'node:net';
import type { PlainPost } from '../lib/http/simple-post.ts';

export type Answer = {
  /** A string where all of it is ASCII, because node writes that fastest. */
  bytes: string | Buffer;
  /** Whether the connection is closed after it. */
  isLast: boolean;
};

/** How a connection is answered, and where it goes from here. */
export type Direct = {
  /** Undefined for everything but a plain message. */
  plainPost(bytes: Buffer): PlainPost | undefined;
  /** Never fails. */
  answer(post: PlainPost, socket: Socket): Promise<Answer>;
  /** Hands the connection over to node's http, with what it has brought. */
  handOver(socket: Socket, bytes: Buffer): void;
  /** For how many looks a connection may bring nothing: a new one, and one that is kept alive. */
  patience: { first: number; next: number };
};

/** A connection as others see it. */
export type DirectReader = {
  /** Whether node has not got the connection, and no message is under way. */
  isIdle(): boolean;
  /** The turn at which it was heard last, or began: the lower, the longer it has waited. Undefined while a message is under way. */
  heardAt(): number | undefined;
  /** To be called where a request that node reads begins or ends. */
  touch(): void;
  /** Ends a connection that brings nothing. To be called once a second: a timer for each connection would cost more with every hit. */
  look(): void;
};

/** Counts what is heard on all connections. Within a second nothing else tells which of them has waited longest. */
let turns = 0;

/** Reads a connection until it hands it over. */
export function readDirectly(socket: Socket, { plainPost, answer, handOver, patience }: Direct): DirectReader {
  let isReading = true;
  let isUnderWay = false;
  let isEnded = false;
  /** Bytes that came while a message was under way. */
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
