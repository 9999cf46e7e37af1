// Stores how far each log was read for a site. With this position, a second run counts only new lines.
//
// Invariant: counts and positions are written in the same transaction, therefore nothing counts twice. A log is
// recognised by its first bytes, and not by its name.
//
// Example: `access.log` was read up to byte 80,000, and was then renamed to `access.log.1`. The next run recognises its
// first 4,096 bytes and continues at byte 80,000. cli/logs.ts calls findPosition and makeCrawlWriter.

import { createHash } from 'node:crypto';
import { keepPath } from '../classify/page.ts';
import type { Crawl } from '../engine/activity.ts';
import type { Intake } from '../engine/engine.ts';
import { Refusal } from '../lib/errors.ts';
import type { Db } from '../store/db.ts';
import {
  addLogPosition,
  findLogPosition,
  type LogPosition,
  listFingerprintLengths,
  type Position,
  removeLogPosition,
} from '../store/server/log-positions.ts';
import { type CollectedSite, findCollectedSiteById } from '../store/sites/collected-sites.ts';

/**
 * How many bytes at its beginning identify a log. These bytes contain times, IP addresses and user agents. Therefore
 * different logs almost never have equal first bytes.
 */
export const HEAD_BYTES = 4096;

/** The first bytes of a log, the position before reading, and the position after reading. */
export type ReadPart = { head: Buffer; from: Position; to: Position };

const hashHead = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Finds how far a log was read, by its first bytes and not by its name. */
export const findPosition = (db: Db, siteId: number, head: Buffer): Position =>
  findLog(db, siteId, head) ?? { offset: 0, lines: 0 };

/**
 * Finds the position of a log by its first bytes. At the last run, the log may have been shorter than 4,096 bytes.
 * Therefore the hashes of shorter beginnings are searched too.
 */
function findLog(db: Db, siteId: number, head: Buffer): LogPosition | undefined {
  for (const length of listFingerprintLengths(db, siteId, head.length)) {
    const found = findLogPosition(db, siteId, hashHead(head.subarray(0, length)));
    if (found) return found;
  }
  return undefined;
}

function changePosition(db: Db, siteId: number, { head, from, to }: ReadPart): void {
  const known = findLog(db, siteId, head);
  if ((known?.offset ?? 0) !== from.offset) throw new Refusal('another daybook logs is reading the same file');
  if (known) removeLogPosition(db, siteId, known.fingerprint);
  const length = Math.min(head.length, to.offset);
  addLogPosition(db, siteId, { ...to, length, fingerprint: hashHead(head.subarray(0, length)) });
}

/** Makes a function that writes the counts of a site and how far the log was read, in one transaction. */
export function makeCrawlWriter(
  db: Db,
  intake: Pick<Intake, 'append'>,
  { id, domain }: Pick<CollectedSite, 'id' | 'domain'>,
) {
  return async function write(batch: readonly Crawl[], read?: ReadPart): Promise<void> {
    const site = findCollectedSiteById(db, id);
    if (!site) throw new Refusal(`${domain} is no site any more`);
    // The program may follow a log for months. Meanwhile a site may get another domain or other settings. Therefore the
    // site is read again for each write.
    const crawls = batch.map((crawl) => ({ ...crawl, page: keepPath(crawl.page, site) ?? '/' }));
    await intake.append({
      crawls: site.tracksCrawlers ? crawls : [],
      ...(read ? { alongside: () => changePosition(db, site.id, read) } : {}),
    });
  };
}
