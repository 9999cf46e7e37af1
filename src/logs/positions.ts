// How far each log was read for a site, so that a second run counts only what is new.
//
// Invariant: counts and positions are written in one transaction, so nothing counts twice. A log is recognized by its
// first bytes, whatever its name.
//
// Example: `access.log` was read up to byte 80,000 and renamed to `access.log.1`. The next run finds its first 4,096
// bytes and reads on from 80,000. cli/logs.ts calls findPosition and crawlWriter.

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
import { type CollectedSite, findCollectedSiteById } from '../store/sites/sites.ts';

/** So many first bytes tell a log from all others, because they have times and IP addresses or agents. */
export const HEAD_BYTES = 4096;

/** What was read of a log: its first bytes, and the positions before and after. */
export type ReadPart = { head: Buffer; from: Position; to: Position };

const hashHead = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Finds how far a log was read for a site, whatever the file is called now. */
export const findPosition = (db: Db, siteId: number, head: Buffer): Position =>
  findLog(db, siteId, head) ?? { offset: 0, lines: 0 };

/** Finds the position of a log by its first bytes, even if the log was shorter at the last run. */
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

/** Makes the writer of a site's counts from logs, each with the position up to which the log was read. */
export function makeCrawlWriter(
  db: Db,
  intake: Pick<Intake, 'append'>,
  { id, domain }: Pick<CollectedSite, 'id' | 'domain'>,
) {
  return async function write(batch: readonly Crawl[], read?: ReadPart): Promise<void> {
    const site = findCollectedSiteById(db, id);
    if (!site) throw new Refusal(`${domain} is no site any more`);
    // A log may be followed for months, in which a site may get another domain or other settings.
    const crawls = batch.map((crawl) => ({ ...crawl, page: keepPath(crawl.page, site.privatePaths) ?? '/' }));
    await intake.append({
      crawls: site.tracksCrawlers ? crawls : [],
      ...(read ? { alongside: () => changePosition(db, site.id, read) } : {}),
    });
  };
}
