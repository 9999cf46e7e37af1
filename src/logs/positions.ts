import { createHash } from 'node:crypto';
import { keptPage } from '../classify/page.ts';
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

/** So many of its first bytes tell a log from all others: they hold times, and addresses or agents. */
export const HEAD_BYTES = 4096;

/** The part of a log that has been read. */
export type ReadPart = { head: Buffer; from: Position; to: Position };

const hashHead = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The position of the log that begins with these bytes, even if it was shorter when it was last read. */
function findLog(db: Db, siteId: number, head: Buffer): LogPosition | undefined {
  for (const length of listFingerprintLengths(db, siteId, head.length)) {
    const found = findLogPosition(db, siteId, hashHead(head.subarray(0, length)));
    if (found) return found;
  }
  return undefined;
}

/** How far the log that begins with these bytes has been read for a site, whatever the file is called now. */
export const findPosition = (db: Db, siteId: number, head: Buffer): Position =>
  findLog(db, siteId, head) ?? { offset: 0, lines: 0 };

function changePosition(db: Db, siteId: number, { head, from, to }: ReadPart): void {
  const known = findLog(db, siteId, head);
  if ((known?.offset ?? 0) !== from.offset) throw new Refusal('another daybook logs is reading the same file');
  if (known) removeLogPosition(db, siteId, known.fingerprint);
  const length = Math.min(head.length, to.offset);
  addLogPosition(db, siteId, { ...to, length, fingerprint: hashHead(head.subarray(0, length)) });
}

/** Stores what logs say of a site. Counts and positions are kept together, so that nothing counts twice. */
export function crawlWriter(
  db: Db,
  intake: Pick<Intake, 'append'>,
  { id, domain }: Pick<CollectedSite, 'id' | 'domain'>,
) {
  return async function write(batch: readonly Crawl[], read?: ReadPart): Promise<void> {
    const site = findCollectedSiteById(db, id);
    if (!site) throw new Refusal(`${domain} is no site any more`);
    // A log is followed for months, in which the site may be renamed and its settings may change.
    const crawls = batch.map((crawl) => ({ ...crawl, page: keptPage(crawl.page, site.privatePaths) ?? '/' }));
    await intake.append({
      crawls: site.tracksCrawlers ? crawls : [],
      ...(read ? { alongside: () => changePosition(db, site.id, read) } : {}),
    });
  };
}
