import { createHash } from 'node:crypto';
import { words } from '../ledger/terms.ts';
import { Refusal } from '../lib/errors.ts';
import { findCollectedSite } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import type { CrawlCount, Position } from './scan.ts';

/** So many of its first bytes tell a log from all others: they hold times, and addresses or agents. */
export const HEAD_BYTES = 4096;

/** The part of a log that has been read. */
export type ReadPart = { head: Buffer; from: Position; to: Position };

type Row = Position & { fingerprint: Buffer };

const fingerprintOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The position of the log that begins with these bytes, even if it was shorter when it was last read. */
function rowOf(db: Db, siteId: number, head: Buffer): Row | undefined {
  const lengths = db.all<{ length: number }>(
    'SELECT DISTINCT length FROM log_position WHERE site_id = ? AND length <= ? ORDER BY length DESC',
    siteId,
    head.length,
  );
  for (const { length } of lengths) {
    const row = db.one<Row>(
      'SELECT fingerprint, offset, lines FROM log_position WHERE site_id = ? AND fingerprint = ?',
      siteId,
      fingerprintOf(head.subarray(0, length)),
    );
    if (row) return row;
  }
  return undefined;
}

/** How far the log that begins with these bytes has been read for a site, whatever the file is called now. */
export const positionOf = (db: Db, siteId: number, head: Buffer): Position =>
  rowOf(db, siteId, head) ?? { offset: 0, lines: 0 };

/** Stores what logs say of a site. Counts and positions are one transaction, so that nothing counts twice. */
export function crawlWriter(db: Db, domain: string) {
  const terms = words(db);

  function storePosition(siteId: number, { head, from, to }: ReadPart): void {
    const row = rowOf(db, siteId, head);
    if ((row?.offset ?? 0) !== from.offset) throw new Refusal('another daybook logs is reading the same file');
    if (row) db.run('DELETE FROM log_position WHERE site_id = ? AND fingerprint = ?', siteId, row.fingerprint);
    const length = Math.min(head.length, to.offset);
    db.run(
      'INSERT INTO log_position (site_id, fingerprint, length, offset, lines) VALUES (?, ?, ?, ?, ?)',
      siteId,
      fingerprintOf(head.subarray(0, length)),
      length,
      to.offset,
      to.lines,
    );
  }

  function add({ siteId, day, crawler, page, requests }: CrawlCount): void {
    db.run(
      `INSERT INTO crawl_day (site_id, day, crawler, page, requests) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`,
      siteId,
      day,
      crawler,
      terms.idOf(siteId, day, 'crawled', page),
      requests,
    );
  }

  return function write(batch: readonly CrawlCount[], read?: ReadPart): void {
    // Logs go forward in time, so older days need not stay in the cache.
    terms.forgetBefore(Math.max(0, ...batch.map(({ day }) => day)) - 1);
    db.write(() => {
      const site = findCollectedSite(db, domain);
      if (!site) throw new Refusal(`${domain} is no site any more`);
      if (site.tracksCrawlers) for (const count of batch) add(count);
      if (read) storePosition(site.id, read);
    });
  };
}
