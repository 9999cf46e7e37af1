import type { Socket } from 'node:net';
import type { PlainPost } from '../lib/plain-post.ts';

/** What is done with what a connection brings. */
export type Direct = {
  /** Undefined for everything but a plain message. */
  plainPost(bytes: Buffer): PlainPost | undefined;
  /** The answer as it goes over the wire, and whether it is the last of its connection. Never fails. */
  answer(post: PlainPost, socket: Socket): Promise<{ text: string; isLast: boolean }>;
  /** Hands the connection over to node's http, with what it has brought. */
  handOver(socket: Socket, bytes: Buffer): void;
  /** Milliseconds in which a new connection must bring something, and in which one that is kept alive must. */
  waits: { first: number; next: number };
};

/**
 * Reads a connection for as long as it brings plain messages, one after another, and hands it over for good with the first thing
 * that is none. Node's http makes two streams, dozens of closures and a promise or two of each request, which takes as long as all
 * that a hit is stored with. Returns whether no message is under way. Held by test/server/direct.test.ts.
 */
export function readDirectly(socket: Socket, { plainPost, answer, handOver, waits }: Direct): () => boolean {
  let isUnderWay = false;
  let isEnded = false;
  /** What came before the message before it was answered. */
  let early: Buffer | undefined;

  const drop = () => socket.destroy();

  function read(bytes: Buffer): void {
    if (isUnderWay) {
      socket.pause();
      early = bytes;
      return;
    }
    const post = plainPost(bytes);
    if (post) void reply(post);
    else leave(bytes);
  }

  async function reply(post: PlainPost): Promise<void> {
    isUnderWay = true;
    if (socket.timeout !== waits.next) socket.setTimeout(waits.next);
    const { text, isLast } = await answer(post, socket);
    if (socket.destroyed) return;
    const isTaken = socket.write(text, 'latin1');
    if (isLast || isEnded) return socket.destroySoon();
    if (isTaken) next();
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
    socket.off('data', read).off('end', end).off('error', drop).off('timeout', drop).setTimeout(0).pause();
    handOver(socket, bytes);
  }

  socket.on('data', read).on('end', end).on('error', drop).on('timeout', drop).setTimeout(waits.first);
  return () => !isUnderWay;
}
