// A report can be read as an event stream (server-sent events). The server sends the report again each time that it
// changes. This file opens streams, limits their number, and ends them.
//
// Invariant: a stream ends within seconds after its caller has lost the right to read the report. Each stream takes one
// of a limited number of places, until it ends. So streams never use up the connections of the server.
//
// Example: a viewer opens /stats/live with `Accept: text/event-stream`, and gets `event: live` with the JSON of the
// report. The owner removes the viewer from the team. At most 5 s later the stream ends.
//
// `mount.ts` calls `open`, and http/server.ts calls `end` before it stops. feeds.ts computes the reports.

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import { type Headers, STREAM_HEADERS } from '../lib/http/answer.ts';
import { type Clock, HOUR } from '../lib/time.ts';
import { admit, encode, type Feed, makeFeeds, type Stream } from './feeds.ts';

export type EventStreams = ReturnType<typeof makeEventStreams>;

/** How streams are paced, in milliseconds. */
type Pace = {
  /** A feed waits at least this time before it computes its report again. */
  every: number;
  /** The rights of each stream are checked again after this time. */
  check: number;
  /** A stream that has sent nothing for this time sends a comment. Otherwise proxies would close it. */
  beat: number;
  /**
   * A stream ends after this time. Its client then opens a new one. The new request shows that the session is still in
   * use.
   */
  longest: number;
};

/**
 * How many streams may be open at once: for one caller, one user, one share link, and the whole server. Any further
 * stream is refused. A caller is a token, a session, or an IP address with a share link. A user may have many tokens.
 * In the public demo, each IP address is a caller, and all guests together count as one share link.
 */
type StreamRoom = { caller: number; user: number; link: number; server: number };

export type StreamOptions = { pace?: Pace; room?: StreamRoom };

const PACE: Pace = { every: 2_000, check: 5_000, beat: 15_000, longest: HOUR * 1_000 };
const ROOM: StreamRoom = { caller: 20, user: 200, link: 200, server: 1_000 };

/** Tells clients to wait 3 s before they open an ended stream again. */
const HEAD = encode('retry: 3000\n\n');
const BEAT = encode(':\n\n');

/**
 * One of the limits that a new stream counts against. For example, `['token 7', 'caller']` limits the open streams of
 * token 7.
 */
type Count = readonly [key: string, kind: keyof StreamRoom];

type Asked = Pick<Stream, 'event' | 'topic' | 'siteId' | 'outgoing' | 'admit'> & {
  headers: Headers;
  counts: readonly Count[];
};

export function makeEventStreams(clock: Clock, { pace = PACE, room = ROOM }: StreamOptions = {}) {
  const feeds = makeFeeds(clock, pace.every);
  const places = makePlaces(room);
  let isOver = false;

  /** Checks from time to time whether a stream must end, or has sent nothing for too long. */
  function watch(feed: Feed, stream: Stream): NodeJS.Timeout {
    const openedAt = clock.tick();
    return setInterval(() => {
      const now = clock.tick();
      if (now - openedAt >= pace.longest || !admit(stream)) feeds.end(feed, stream);
      else if (now - stream.wroteAt >= pace.beat && !stream.isBusy) feeds.write(stream, BEAT);
    }, pace.check);
  }

  return {
    /** Answers a request with a stream. Throws if too many streams are open, the server stops, or the report fails. */
    async open({ headers, counts, ...asked }: Asked): Promise<Response> {
      if (isOver) throw new Problem('unavailable');
      const release = places.take(counts);
      const { outgoing } = asked;
      const stream: Stream = { ...asked, isBusy: true, wroteAt: clock.tick() };
      const feed = feeds.join(stream);
      let timer: NodeJS.Timeout | undefined;
      outgoing.once('close', () => {
        clearInterval(timer);
        feeds.leave(feed, stream);
        release();
      });
      try {
        await feed.first;
        if (isOver) throw new Problem('unavailable');
      } catch (error) {
        feeds.leave(feed, stream);
        if (!outgoing.destroyed) throw error;
      }
      if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
      timer = watch(feed, stream);
      outgoing.writeHead(200, { ...STREAM_HEADERS, ...headers });
      feeds.begin(feed, stream, HEAD);
      return RESPONSE_ALREADY_SENT;
    },

    /** Returns how many streams are open. */
    count: places.count,

    /** Ends all streams, and refuses new ones. */
    end(): void {
      isOver = true;
      feeds.endAll();
    },
  };
}

const SERVER: Count = ['', 'server'];

/** Counts the open streams of each key, and refuses a stream if a limit is reached. */
function makePlaces(room: StreamRoom) {
  const taken = new Map<string, number>();
  const find = (key: string): number => taken.get(key) ?? 0;

  return {
    count: () => find(SERVER[0]),
    /** Takes a place for a stream. Returns the function that gives the place back. */
    take(counts: readonly Count[]): () => void {
      const all = [...counts, SERVER];
      for (const [key, kind] of all) if (find(key) >= room[kind]) throw refuse(kind, room[kind]);
      for (const [key] of all) taken.set(key, find(key) + 1);
      return () => {
        for (const [key] of all) {
          if (find(key) > 1) taken.set(key, find(key) - 1);
          else taken.delete(key);
        }
      };
    },
  };
}

function refuse(kind: keyof StreamRoom, most: number): Problem {
  const headers = { 'Retry-After': '60' };
  return kind === 'caller' || kind === 'user'
    ? new Problem('rate_limited', { message: coded('most_streams', { most }), headers })
    : new Problem('unavailable', { message: coded('streams_full'), headers });
}
