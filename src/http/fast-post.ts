import type { Socket } from 'node:net';
import type { PlainPost } from '../lib/http/simple-post.ts';

/** What goes over the wire, a string where all of it is ASCII, which node writes fastest; and whether it is the last of its connection. */
export type Answer = { bytes: string | Buffer; isLast: boolean };

/** What is done with what a connection brings. */
export type Direct = {
  /** Undefined for everything but a plain message. */
  plainPost(bytes: Buffer): PlainPost | undefined;
  /** Never fails. */
  answer(post: PlainPost, socket: Socket): Promise<Answer>;
  /** Hands the connection over to node's http, with what it has brought. */
  handOver(socket: Socket, bytes: Buffer): void;
  /** How many looks a new connection may bring nothing, and how many one that is kept alive. */
  patience: { first: number; next: number };
};

/** Who reads a connection until node does. */
export type DirectReader = {
  /** Whether it reads the connection, and no message is under way. */
  isIdle(): boolean;
  /** For how many looks it has waited; undefined while a message is under way. */
  waited(): number | undefined;
  /** A request that node reads begins or ends. */
  touch(): void;
  /** Ends a connection that brings nothing. To be called once a second, because a timer of each connection costs more with every hit. */
  look(): void;
};

/**
 * Reads a connection for as long as it brings plain messages, one after another, and hands it over for good with the first thing
 * that is none. Node's http makes two streams and their listeners of each request, which takes a third of a hit's processor time. Held by test/http/fast-post.test.ts.
 */
export function readDirectly(socket: Socket, { plainPost, answer, handOver, patience }: Direct): DirectReader {
  let isReading = true;
  let isUnderWay = false;
  let isEnded = false;
  /** What came before the message before it was answered. */
  let early: Buffer | undefined;
  let looks = 0;
  let most = patience.first;

  const drop = () => socket.destroy();

  function read(bytes: Buffer): void {
    if (isUnderWay) {
      socket.pause();
      early = bytes;
      return;
    }
    looks = 0;
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
    waited: () => (isUnderWay ? undefined : looks),
    touch(): void {
      looks = 0;
    },
    look(): void {
      if (++looks > most && isReading) drop();
    },
  };
}
