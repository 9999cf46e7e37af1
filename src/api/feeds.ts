// A feed computes a report again and again, and sends it to its streams when it has changed.
//
// Streams of one report with equal filters share a feed. So a thousand people who watch one site cost one computation,
// and all streams send the same bytes. A feed ends with its last stream, so nothing is computed that nobody reads.
//
// Invariant: a stream holds at most one event that its client has not read. If the report changes meanwhile, the client
// gets only the newest state (test/api/event-streams.test.ts).
//
// Together, the feeds usually take at most half of the time of one thread. Example: there are 50 feeds. If each
// computation takes 5 ms, each feed computes its report every 2 s. If each computation takes 40 ms, all 50 take 2 s.
// The pauses between them take 2 s too. So each feed computes its report every 4 s. The sites take turns. If 49 feeds
// are of one site, the feed of another site still computes its report every 2 s. `event-streams.ts` joins streams to
// feeds.

import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../lib/errors.ts';
import type { Bytes } from '../lib/http/answer.ts';
import { makeLines } from '../lib/lines.ts';
import type { Clock } from '../lib/time.ts';

/**
 * After their first computations, all feeds together may use this share of one thread. If they need more, each of them
 * waits longer.
 */
const SHARE = 0.5;

type Compute = (signal: AbortSignal) => unknown;

export type Stream = {
  /** The name of the feed's events. */
  event: string;
  /** Streams with equal topics get the same events. */
  topic: string;
  /** The site of the report. Sites take turns, so many feeds of one site do not delay the feeds of another site. */
  siteId: number;
  outgoing: ServerResponse;
  /**
   * Checks the rights of the caller, and returns the function that computes the report. Throws if the caller may no
   * longer read the report.
   */
  admit(): Compute;
  /** The event that was written last, and the newest event. They differ while the client reads slowly. */
  sent?: Bytes;
  newest?: Bytes;
  /** True while the operating system has not yet accepted the bytes that were written last. */
  isBusy: boolean;
  wroteAt: number;
};

export type Feed = {
  topic: string;
  siteId: number;
  streams: Set<Stream>;
  abort: AbortController;
  /** The first computation. A new stream waits for it. */
  first: Promise<void>;
  /** The figures as a text. The feed compares this text to find changes. */
  state?: string;
  event?: Bytes;
  timer?: NodeJS.Timeout;
};

/** Makes the feeds of a server. `every` is the least time between two computations of a feed, in milliseconds. */
export function makeFeeds(clock: Clock, every: number) {
  const feeds = new Map<string, Feed>();
  const { send, write } = makeWriter(clock);
  const takeTurn = makeTurns(clock, every);

  async function refresh(feed: Feed): Promise<void> {
    if (feeds.get(feed.topic) !== feed) return;
    const [{ event: name }, compute] = admitOne(feed);
    const data = (await compute(feed.abort.signal)) as object;
    const state = describeState(data);
    if (state !== feed.state) {
      const event = encode(`event: ${name}\ndata: ${JSON.stringify({ data })}\n\n`);
      Object.assign(feed, { state, event });
      for (const one of feed.streams) send(one, event);
    }
    if (feeds.get(feed.topic) !== feed) return;
    feed.timer = setTimeout(() => {
      // If the computation fails, all streams of the feed end. Their clients connect again, and each of them gets the
      // error as its answer.
      takeTurn(feed.siteId, () => refresh(feed)).catch(() => endFeed(feed));
    }, every);
  }

  /**
   * Finds the first stream whose caller may still read the report. Ends all streams before this stream, because their
   * callers may no longer read the report.
   */
  function admitOne(feed: Feed): [Stream, Compute] {
    for (const stream of feed.streams) {
      const compute = admit(stream);
      if (compute) return [stream, compute];
      end(feed, stream);
    }
    throw new Problem('unavailable');
  }

  function leave(feed: Feed, stream: Stream): void {
    if (!feed.streams.delete(stream) || feed.streams.size > 0) return;
    clearTimeout(feed.timer);
    feed.abort.abort();
    if (feeds.get(feed.topic) === feed) feeds.delete(feed.topic);
  }

  function end(feed: Feed, stream: Stream): void {
    leave(feed, stream);
    if (!stream.outgoing.headersSent) return;
    if (stream.isBusy) stream.outgoing.destroy();
    else stream.outgoing.end();
  }

  function endFeed(feed: Feed): void {
    for (const stream of feed.streams) end(feed, stream);
  }

  return {
    join(stream: Stream): Feed {
      const known = feeds.get(stream.topic);
      const feed = known ?? makeFeed(stream);
      feed.streams.add(stream);
      if (known) return known;
      feeds.set(stream.topic, feed);
      feed.first = refresh(feed);
      return feed;
    },
    leave,
    write,
    /** Sends the first bytes of a stream, and the newest event of its feed. */
    begin(feed: Feed, stream: Stream, bytes: Bytes): void {
      write(stream, bytes);
      if (feed.event) send(stream, feed.event);
    },
    end,
    endAll(): void {
      for (const feed of feeds.values()) endFeed(feed);
    },
  };
}

/**
 * Runs computations one after another. The sites take turns. After each computation, there is a pause that is as long
 * as the computation, but at most `longest` milliseconds. So while each computation is shorter than that, all of them
 * together use at most half of a thread (`SHARE`).
 */
function makeTurns(clock: Clock, longest: number) {
  const waiting = makeLines<() => Promise<void>>();
  let isBusy = false;

  async function workOff(): Promise<void> {
    isBusy = true;
    for (let next = waiting.next(); next; next = waiting.next()) {
      const began = clock.tick();
      await next().catch(() => {});
      const took = clock.tick() - began;
      await pause(Math.min(took / SHARE - took, longest), undefined, { ref: false });
    }
    isBusy = false;
  }

  return (siteId: number, work: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.add(siteId, () => {
        const working = work();
        working.then(resolve, reject);
        return working;
      });
      if (!isBusy) void workOff();
    });
}

/** Writes to streams. While a client has not read the last bytes, nothing more is written to its stream. */
function makeWriter(clock: Clock) {
  function send(stream: Stream, event: Bytes): void {
    stream.newest = event;
    if (stream.isBusy || stream.sent === event) return;
    stream.sent = event;
    write(stream, event);
  }

  function write(stream: Stream, bytes: Bytes): void {
    stream.isBusy = true;
    stream.wroteAt = clock.tick();
    stream.outgoing.write(bytes, (error) => {
      stream.isBusy = false;
      if (!error && stream.newest) send(stream, stream.newest);
    });
  }

  return { send, write };
}

export const encode = (text: string): Bytes => new TextEncoder().encode(text);

/**
 * Checks the rights of a stream's caller, and returns the function that computes the report. Returns undefined if the
 * caller may no longer read the report.
 */
export function admit(stream: Stream): Compute | undefined {
  try {
    return stream.admit();
  } catch {
    return undefined;
  }
}

const makeFeed = ({ topic, siteId }: Stream): Feed => ({
  ...{ topic, siteId, streams: new Set(), abort: new AbortController(), first: Promise.resolve() },
});

/**
 * Writes the figures of a report without its period (`from` and `to`). In a report about the present, the period
 * changes each second. If nothing else has changed, the report is not sent again.
 */
const describeState = ({ from: _, to: __, ...figures }: { from?: unknown; to?: unknown }): string =>
  JSON.stringify(figures);
