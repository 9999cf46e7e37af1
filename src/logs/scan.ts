import { CRAWLERS } from '../classify/crawlers.ts';
import type { Crawl } from '../engine.ts';
import { Refusal } from '../lib/errors.ts';
import type { Position } from '../store/log-positions.ts';
import type { CollectedSite } from '../store/sites.ts';
import { crawlIn, FORMATS, type Format, formatOf } from './lines.ts';

export type Scan = ReturnType<typeof logScan>;
export type Reading = ReturnType<Scan['reading']>;

const LINE_FEED = 10;
/** A longer line is none that a web server wrote. */
const LONGEST = 256 * 1024;
/** So many lines that nothing can be made of, and it is not a log. */
const MOST_STRANGE = 20;
const NOTHING = Buffer.alloc(0);
/** The year 2328; the words of a later day could not be told from those of another site. */
export const END_OF_TIME = 2 ** 17 * 86_400;

/** The words that can make an agent a crawler; a slash at their end may be escaped in JSON. */
const NAMES = new RegExp(CRAWLERS.map(({ token }) => token.replace(/\/$/, '')).join('|'), 'gi');

/** Where the next of those words ends. */
function nextName(text: string, from: number): number {
  NAMES.lastIndex = from;
  return NAMES.test(text) ? NAMES.lastIndex : Number.POSITIVE_INFINITY;
}

/**
 * Finds the requests of AI crawlers in the bytes of access logs. One pass of a regular expression over many lines at once
 * says which of them name a crawler at all, and only these are taken apart, because hardly any do.
 */
export function logScan(site: CollectedSite, given?: Format) {
  let format = given;
  let batch = new Map<string, Crawl>();
  const total = { lines: 0, unreadable: 0, firstUnreadable: 0, requests: new Map<string, number>() };

  function count(crawl: Crawl): void {
    const key = `${crawl.day} ${crawl.crawler} ${crawl.page}`;
    const counted = batch.get(key);
    if (counted) counted.requests++;
    else batch.set(key, crawl);
    total.requests.set(crawl.crawler, (total.requests.get(crawl.crawler) ?? 0) + 1);
  }

  /** Whether a line can be read; if so, what it says is counted. */
  function take(line: string): boolean {
    format ??= formatOf(line);
    const logged = format && FORMATS[format].parse(line);
    if (!logged || logged.second < 0 || logged.second >= END_OF_TIME) return false;
    const crawl = crawlIn(site, logged);
    if (crawl) count(crawl);
    return true;
  }

  /** Reads on in one log from where it was left. */
  function reading(from: Position) {
    let { offset, lines } = from;
    let rest: Buffer = NOTHING;
    let isTooLong = false;

    function pass(isReadable: boolean): void {
      lines++;
      total.lines++;
      if (isReadable) return;
      total.unreadable++;
      total.firstUnreadable ||= lines;
      if (!format && total.unreadable >= MOST_STRANGE) throw strange();
    }

    function takeLines(bytes: Buffer, end: number): void {
      const text = bytes.toString('latin1', 0, end);
      let named = nextName(text, 0);
      for (let start = 0; start < end; ) {
        const stop = text.indexOf('\n', start);
        const line = text.slice(start, stop);
        if (line === '' || line === '\r') {
          // No line at all, also where the last one was read before its line feed came.
        } else if (format && named > stop) pass(FORMATS[format].resembles(line));
        else pass(take(bytes.toString('utf8', start, stop)));
        if (named <= stop) named = nextName(text, stop);
        start = stop + 1;
      }
      offset += end;
    }

    return {
      /** Takes all lines that are whole. The memory of the chunk may be used again afterwards. */
      take(chunk: Buffer): void {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        const begin = isTooLong ? bytes.indexOf(LINE_FEED) + 1 : 0;
        if (begin > 0) {
          offset += begin;
          isTooLong = false;
          pass(false);
        }
        const whole = isTooLong ? 0 : bytes.lastIndexOf(LINE_FEED) + 1;
        if (whole > begin) takeLines(bytes.subarray(begin), whole - begin);
        rest = Buffer.from(bytes.subarray(Math.max(begin, whole)));
        if (rest.length > LONGEST || isTooLong) {
          offset += rest.length;
          rest = NOTHING;
          isTooLong = true;
        }
      },
      /** Takes what stands behind the last line feed: always if nothing can follow, otherwise only if it is whole. */
      end(isOver: boolean): void {
        const line = rest.toString('utf8').trimEnd();
        const isReadable = line !== '' && take(line);
        if (isTooLong || (line !== '' && (isOver || isReadable))) pass(isReadable);
        if (isOver || isReadable) {
          offset += rest.length;
          rest = NOTHING;
        }
      },
      position: (): Position => ({ offset, lines }),
    };
  }

  return {
    reading,
    total,
    isStrange: () => format === undefined && total.unreadable > 0,
    size: () => batch.size,
    /** What has been counted since this was last asked for. */
    takeBatch(): Crawl[] {
      const counted = [...batch.values()];
      batch = new Map();
      return counted;
    },
  };
}

export const strange = (): Refusal =>
  new Refusal('this is no access log in the formats combined, caddy or json; --format names one to insist on');
