// Reads a connection by hand as long as it brings plain messages (src/lib/http/simple-post.ts), one after another. With
// the first other bytes, node's http gets the connection for good. Node's http makes two streams and their listeners
// for each request.
//
// Processor time a hit, the median of 15 turns of 3 s (`npm run bench:readers`, November 2026, 2 busy cores):
//
// 64 connections: 65 µs, by node's http 95 µs; 256 connections: 53 and 84 µs
//
// A program built without this reader took 87 and 86 µs, and with it 61 and 65 µs: 29 and 26 % less. Below a quarter
// this file is to be deleted.
//
// Invariant: each message is answered before the next is read, and means what it would mean to node
// (test/http/fast-post.test.ts, test/http/both-readers.test.ts). src/http/messages.ts calls this for each new
// connection.

import type { Socket } from 'node:net';
import type { PlainPost } from '../lib/http/simple-post.ts';

export type Answer = {
  /** A string if all of it is ASCII, because node writes that fastest. */
  bytes: string | Buffer;
  /** Whether the connection closes after this answer. */
  isLast: boolean;
};

/** What a reader needs to answer a connection or to hand it over. */
export type Direct = {
  /** Reads a plain message; undefined for all other bytes. */
  plainPost(bytes: Buffer): PlainPost | undefined;
  /** Answers a message, and never fails. */
  answer(post: PlainPost, socket: Socket): Promise<Answer>;
  /** Hands a connection with its latest bytes over to node's http. */
  handOver(socket: Socket, bytes: Buffer): void;
  /** How many looks a connection may be silent for: a new one, and one that is kept alive. */
  patience: { first: number; next: number };
};

/** What the server can ask of a connection. */
export type DirectReader = {
  /** Tells whether the connection is still read here and waits for a message. */
  isIdle(): boolean;
  /**
   * Gives the turn of the latest bytes: the lower, the longer the connection has waited. Undefined while a message is
   * answered.
   */
  heardAt(): number | undefined;
  /** Notes that a request that node reads begins or ends. */
  touch(): void;
  /**
   * Ends a silent connection after its patience. Called once a second for each connection; a timer of its own would
   * cost more with every hit.
   */
  look(): void;
};

/** Reads a connection until it hands it over. */
export function readDirectly(socket: Socket, { plainPost, answer, handOver, patience }: Direct): DirectReader {
  let isReading = true;
  let isUnderWay = false;
  let isEnded = false;
  /** Bytes that came before the last message was answered. */
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

/** Counts events on all connections. Within a second only this order tells which connection has waited longest. */
let turns = 0;
