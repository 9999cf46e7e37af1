// Counts the requests of AI crawlers in the bytes of access logs.
//
// Invariant: each whole line is read once. A position is at the beginning or the end of a line. Only in a line longer
// than `LONGEST_LOG_LINE`, a position may be inside the line. Once the format is known, a line without the name of a
// crawler is not parsed. This saves time, because very few lines have such a name.
//
// Example: a chunk of 16 KB has 80 lines. One regular expression over the whole chunk finds `GPTBot` in line 31.
// Therefore line 31 is parsed. For the other 79 lines, a quick check is enough. cli/logs.ts calls makeLogScan.

import { CRAWLERS } from '../classify/crawlers.ts';
import type { Crawl } from '../engine/activity.ts';
import type { AddressList } from '../lib/http/address.ts';
import type { Position } from '../store/server/log-positions.ts';
import {
  FORMATS,
  type Format,
  findFormat,
  isComment,
  LATEST_SECOND,
  LONGEST_LOG_LINE,
  MOST_UNKNOWN,
  refuseNoLog,
} from './formats.ts';
import { type LogSite, readCrawl } from './requests.ts';

export function makeLogScan(site: LogSite, given?: Format, isExcluded: AddressList = () => false) {
  let known = site;
  let format = given;
  let batch = new Map<string, Crawl>();
  const total = { lines: 0, unreadable: 0, firstUnreadable: 0, excluded: 0, requests: new Map<string, number>() };

  function count(crawl: Crawl): void {
    const key = `${crawl.day} ${crawl.crawler} ${crawl.page}`;
    const counted = batch.get(key);
    if (counted) counted.requests++;
    else batch.set(key, crawl);
    total.requests.set(crawl.crawler, (total.requests.get(crawl.crawler) ?? 0) + 1);
  }

  const handler: LineHandler = {
    read(line) {
      if (isComment(line)) return true;
      format ??= findFormat(line);
      const entry = format && FORMATS[format].parse(line);
      if (!entry || entry.second < 0 || entry.second >= LATEST_SECOND) return false;
      const crawl = readCrawl(known, entry);
      if (crawl && entry.ip !== undefined && isExcluded(entry.ip)) total.excluded++;
      else if (crawl) count(crawl);
      return true;
    },
    glance: (line) => (format ? FORMATS[format].resembles(line) : undefined),
    onLine(isReadable, number) {
      total.lines++;
      if (isReadable) return;
      total.unreadable++;
      total.firstUnreadable ||= number;
      if (!format && total.unreadable >= MOST_UNKNOWN) throw refuseFormat();
    },
  };

  return {
    /**
     * Replaces what is known about the site. The program may follow a log for months, and the site's time zone may
     * change.
     */
    know(now: LogSite): void {
      known = now;
    },
    reader: (from: Position) => makeScanReader(from, handler),
    total,
    /** Throws if the log has lines but none of them is in a known format. */
    checkFormat(): void {
      if (format === undefined && total.unreadable > 0) throw refuseFormat();
    },
    size: () => batch.size,
    takeBatch(): Crawl[] {
      const counts = [...batch.values()];
      batch = new Map();
      return counts;
    },
  };
}

export type Scan = ReturnType<typeof makeLogScan>;

export type ScanReader = ReturnType<typeof makeScanReader>;

const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Matches the tokens of crawlers, the names in their user agents, such as GPTBot. A slash at the end of a token is left
 * out, because JSON may escape it. CloudFront writes a space as %20.
 */
const TOKENS = new RegExp(
  CRAWLERS.map(({ token }) => token.replace(/\/$/, '').replaceAll(' ', '(?: |%20)')).join('|'),
  'gi',
);

/** Finds the end of the next name of a crawler after a position. Returns infinity if there is no further name. */
function findToken(text: string, from: number): number {
  TOKENS.lastIndex = from;
  return TOKENS.test(text) ? TOKENS.lastIndex : Number.POSITIVE_INFINITY;
}

type LineHandler = {
  /** Counts the request of a line, if an AI crawler made it. Returns false if the line cannot be read. */
  read(line: string): boolean;
  /**
   * Checks a line without the name of a crawler. Returns true if the line looks readable, and undefined while the
   * format is unknown.
   */
  glance(line: string): boolean | undefined;
  onLine(isReadable: boolean, number: number): void;
};

/** Makes a reader that splits the bytes of one log into lines, from a given position to the end. */
function makeScanReader(from: Position, { read, glance, onLine }: LineHandler) {
  let { offset, lines } = from;
  let rest: Buffer = NOTHING;
  let isTooLong = false;

  function pass(isReadable: boolean): void {
    lines++;
    onLine(isReadable, lines);
  }

  function readLines(bytes: Buffer, end: number): void {
    const text = bytes.toString('latin1', 0, end);
    let token = findToken(text, 0);
    for (let start = 0; start < end; ) {
      const stop = text.indexOf('\n', start);
      const line = text.slice(start, stop);
      // An empty line does not count. If the last run read a line without its line feed, only the line feed is left.
      if (line !== '' && line !== '\r') {
        const isLike = token > stop ? glance(line) : undefined;
        pass(isLike ?? read(bytes.toString('utf8', start, stop)));
      }
      if (token <= stop) token = findToken(text, stop);
      start = stop + 1;
    }
    offset += end;
  }

  return {
    /** Reads all whole lines of a chunk. Afterwards, the caller may use the memory of the chunk again. */
    feed(chunk: Buffer): void {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const begin = isTooLong ? bytes.indexOf(LINE_FEED) + 1 : 0;
      if (begin > 0) {
        offset += begin;
        isTooLong = false;
        pass(false);
      }
      const end = isTooLong ? 0 : bytes.lastIndexOf(LINE_FEED) + 1;
      if (end > begin) readLines(bytes.subarray(begin), end - begin);
      rest = Buffer.from(bytes.subarray(Math.max(begin, end)));
      if (rest.length > LONGEST_LOG_LINE || isTooLong) {
        offset += rest.length;
        rest = NOTHING;
        isTooLong = true;
      }
    },
    /**
     * Reads the text after the last line feed. If `isOver` is true, the log does not grow any more, and the text is a
     * line. Otherwise, the text may be half a line, and counts only if it can be parsed as a whole line.
     */
    end(isOver: boolean): void {
      const line = rest.toString('utf8').trimEnd();
      const isReadable = line !== '' && read(line);
      if (isTooLong || (line !== '' && (isOver || isReadable))) pass(isReadable);
      if (isOver || isReadable) {
        offset += rest.length;
        rest = NOTHING;
      }
    },
    position: (): Position => ({ offset, lines }),
  };
}

const refuseFormat = () => refuseNoLog('. To use a format anyway, name it with --format');
