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
  notALog,
} from './formats.ts';
import { type LogSite, readCrawl } from './requests.ts';

export type Scan = ReturnType<typeof logScan>;
export type ScanReader = ReturnType<typeof scanReader>;

const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);

/** The tokens that can make an agent a crawler; a slash at their end may be escaped in JSON, and a blank in CloudFront's logs. */
const TOKENS = new RegExp(
  CRAWLERS.map(({ token }) => token.replace(/\/$/, '').replaceAll(' ', '(?: |%20)')).join('|'),
  'gi',
);

/** Where the next of those tokens ends. */
function nextToken(text: string, from: number): number {
  TOKENS.lastIndex = from;
  return TOKENS.test(text) ? TOKENS.lastIndex : Number.POSITIVE_INFINITY;
}

type LineHandler = {
  /** Whether a line can be read; if so, it is counted where it is a crawl. */
  read(line: string): boolean;
  /** Whether a line that names no crawler can be read, without parsing it; undefined while the format is not known. */
  glance(line: string): boolean | undefined;
  /** Is told of each line, after it. */
  onLine(isReadable: boolean, number: number): void;
};

/**
 * Splits the bytes of one log into lines, from a position on. One pass of a regular expression over many lines at once says
 * which of them name a crawler at all, and only these are parsed, because hardly any do.
 */
function scanReader(from: Position, { read, glance, onLine }: LineHandler) {
  let { offset, lines } = from;
  let rest: Buffer = NOTHING;
  let isTooLong = false;

  function pass(isReadable: boolean): void {
    lines++;
    onLine(isReadable, lines);
  }

  function readLines(bytes: Buffer, end: number): void {
    const text = bytes.toString('latin1', 0, end);
    let token = nextToken(text, 0);
    for (let start = 0; start < end; ) {
      const stop = text.indexOf('\n', start);
      const line = text.slice(start, stop);
      // An empty line is none, also where the last one was read before its line feed came.
      if (line !== '' && line !== '\r') {
        const isLike = token > stop ? glance(line) : undefined;
        pass(isLike ?? read(bytes.toString('utf8', start, stop)));
      }
      if (token <= stop) token = nextToken(text, stop);
      start = stop + 1;
    }
    offset += end;
  }

  return {
    /** Reads all lines that are complete. The memory of the chunk may be used again afterwards. */
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
    /** Reads what follows the last line feed: always if nothing more can come, otherwise only if it is a complete line. */
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

/** Counts the requests of AI crawlers in the bytes of access logs. */
export function logScan(site: LogSite, given?: Format, isExcluded: AddressList = () => false) {
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
      if (!format && total.unreadable >= MOST_UNKNOWN) throw unknownFormat();
    },
  };

  return {
    /** A log is followed for months, in which the zone of the site may change. */
    know(now: LogSite): void {
      known = now;
    },
    /** Reads on in one log from where it was left. */
    reader: (from: Position) => scanReader(from, handler),
    total,
    /** Refuses a log that has lines, and none in a known format. */
    checkFormat(): void {
      if (format === undefined && total.unreadable > 0) throw unknownFormat();
    },
    size: () => batch.size,
    /** What has been counted since this was last asked for. */
    takeBatch(): Crawl[] {
      const counts = [...batch.values()];
      batch = new Map();
      return counts;
    },
  };
}

const unknownFormat = () => notALog('; --format names one to insist on');
