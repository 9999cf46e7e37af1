// Counts the requests of AI crawlers in the bytes of access logs.
//
// Invariant: each whole line is read once, and the position is always at the start of a line. A line without a
// crawler's name is not parsed, because hardly any line has one.
//
// Example: a chunk of 16 KB has 80 lines. One regular expression over the whole chunk finds `GPTBot` in line 31, so one
// line is parsed, and 79 are only glanced at. cli/logs.ts calls logScan.

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

/** Makes the scan of the logs of a site. */
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
    /** Takes the site's latest settings. A log may be followed for months, in which its zone may change. */
    know(now: LogSite): void {
      known = now;
    },
    /** Makes a reader of one log from a position on. */
    reader: (from: Position) => makeScanReader(from, handler),
    total,
    /** Refuses a log with lines, none of which is in a known format. */
    checkFormat(): void {
      if (format === undefined && total.unreadable > 0) throw refuseFormat();
    },
    size: () => batch.size,
    /** Takes the counts since the last call. */
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
 * Matches the tokens of crawlers. JSON may escape a slash at the end of a token, and CloudFront's logs escape a blank.
 */
const TOKENS = new RegExp(
  CRAWLERS.map(({ token }) => token.replace(/\/$/, '').replaceAll(' ', '(?: |%20)')).join('|'),
  'gi',
);

/** Finds where the next token ends. */
function findToken(text: string, from: number): number {
  TOKENS.lastIndex = from;
  return TOKENS.test(text) ? TOKENS.lastIndex : Number.POSITIVE_INFINITY;
}

type LineHandler = {
  /** Reads a line and counts a crawler's request. Tells whether the line is readable. */
  read(line: string): boolean;
  /** Tells whether a line without a crawler's name looks readable; undefined while the format is not known. */
  glance(line: string): boolean | undefined;
  /** Called after each line. */
  onLine(isReadable: boolean, number: number): void;
};

/** Makes a reader that splits the bytes of one log into lines, from a position on. */
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
      // An empty line does not count. Such a line remains if the last line was read before its line feed came.
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
    /** Reads all whole lines. The memory of the chunk may be used again after that. */
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
    /** Reads the text after the last line feed: always if the log is over, otherwise only if it is a whole line. */
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

const refuseFormat = () => refuseNoLog('; --format names one to insist on');
