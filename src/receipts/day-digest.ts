// Computes the digest and the figures of a day from the lines of its export. The digest is one hash of all hits and
// heartbeats of the day.
//
// Invariant: the digest depends only on the hits and heartbeats that were counted. The digest does not depend on the
// engine, the packing of hits, the slices, or the order of visitors. Exclusions change only the figures, and not the
// digest.
//
// Each visitor's lines are written as canonical JSON, and hashed. The hashes of all visitors are sorted, and hashed
// together. So nobody can move visits from one visitor to another, or find other visits with an equal digest. If the
// hashes were only added up, somebody could find such visits.
//
// Example: a day has two visitors with three lines. Their two hashes of 32 bytes are sorted and joined. The SHA-256 of
// these 64 bytes is the digest. A day needs about 60 bytes of memory for each visitor.
//
// The job that makes receipts and read-export.ts call `beginDay`. docs/receipts.md describes the form of the digest.

import { type Json, writeCanonical } from './canonical.ts';
import { type Crypto, type Hashing, writeHex } from './crypto.ts';

/**
 * A line of an export, as `daybook export --format ndjson` writes it. `visitor` is the date of the day and a number,
 * such as 2026-01-05-7. `visit` numbers the visits of a visitor. Only a heartbeat has `engaged`, and only an excluded
 * visit has `excluded`. The digest also contains the fields that this type does not list.
 */
export type DayLine = { visitor: string; visit: number; event?: string; engaged?: number; excluded?: boolean };

export type Figures = { visitors: number; visits: number; pageviews: number; events: number };

export type DayDigest = { digest: string; figures: Figures };

/**
 * Begins the digest and the figures of one day. `add` takes a line, and `end` returns the result. The lines of a
 * visitor must come one after the other.
 */
export function beginDay(crypto: Pick<Crypto, 'beginHash'>) {
  const sorted = sortHashes(crypto);
  const figures: Figures = { visitors: 0, visits: 0, pageviews: 0, events: 0 };
  let visitor: string | undefined;
  let hashing: Hashing | undefined;
  let visit = 0;
  let isCounted = false;
  let text = '';

  function endVisitor(): void {
    if (!hashing) return;
    hashing.update(text);
    sorted.add(hashing.end());
    text = '';
  }

  return {
    add({ visitor: own, excluded, ...line }: DayLine): void {
      if (own !== visitor || !hashing) {
        endVisitor();
        hashing = crypto.beginHash();
        visitor = own;
        visit = 0;
        isCounted = false;
      }
      text += `${writeCanonical(line as Json)}\n`;
      if (text.length > CHUNK) {
        hashing.update(text);
        text = '';
      }
      if (excluded) return;
      if (!isCounted) figures.visitors++;
      isCounted = true;
      if (line.visit !== visit) figures.visits++;
      visit = line.visit;
      if (line.engaged === undefined) figures[line.event === undefined ? 'pageviews' : 'events']++;
    },
    async end(): Promise<DayDigest> {
      endVisitor();
      return { digest: await sorted.end(), figures };
    },
  };
}

const CHUNK = 64 * 1024;

/**
 * Hashes texts that have no order, such as the sums of a totals-only day. Each text is hashed on its own. Then the
 * sorted hashes are hashed together.
 */
export async function digestTexts(crypto: Pick<Crypto, 'beginHash'>, texts: Iterable<string>): Promise<string> {
  const sorted = sortHashes(crypto);
  for (const text of texts) {
    const hashing = crypto.beginHash();
    hashing.update(text);
    sorted.add(hashing.end());
  }
  return await sorted.end();
}

/**
 * Collects hashes, and hashes them together in sorted order. In a browser, a hash is a promise, so `end` waits for all
 * hashes.
 */
function sortHashes({ beginHash }: Pick<Crypto, 'beginHash'>) {
  const hashes: (string | Promise<string>)[] = [];
  return {
    add: (hash: string | Promise<string>) => void hashes.push(hash),
    async end(): Promise<string> {
      const all = hashes.every((one) => typeof one === 'string') ? hashes : await Promise.all(hashes);
      const hashing = beginHash();
      for (const one of (all as string[]).sort()) hashing.update(readBytes(one));
      return writeHex(await hashing.end());
    },
  };
}

function readBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
