// The domain of a site, and its former domains.
//
// Invariant: a domain belongs to one site. After a change, the former domain belongs to its site for 30 more days.
//
// Example: a site changes from old.example to new.example. For 30 days, hits with old.example count for this site, and
// no other site can get old.example. api/sites.ts and the command `site change` change domains.

import { type Coded, coded } from '../../lang/coded.ts';
import { invalid, Problem } from '../../lib/errors.ts';
import { DAY, iso } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/**
 * How long hits with a former domain count, after a site has changed its domain. In that time, no other site can get
 * the former domain.
 */
export const FORMER_FOR = 30 * DAY;

/**
 * Finds out why a site cannot have a domain. Returns undefined if the site can have it. A site may take back a domain
 * that it had before.
 */
export function findDomainFault(db: Db, domain: string, now: number, siteId = 0): Coded | undefined {
  if (db.one('SELECT 1 FROM site WHERE domain = ? AND id <> ?', domain, siteId)) {
    return coded('domain_taken', { domain });
  }
  const former = db.one<{ until: number }>(
    'SELECT until FROM former_domain WHERE domain = ? AND site_id <> ? AND until > ?',
    domain,
    siteId,
    now,
  );
  return former && coded('domain_was_taken', { domain, time: iso(former.until) });
}

export function assertFreeDomain(db: Db, domain: string, now: number, siteId?: number): void {
  const fault = findDomainFault(db, domain, now, siteId);
  if (fault) throw invalid({ domain: fault });
}

/** Lists the former domains of a site whose hits still count. */
export const listFormerDomains = (db: Db, siteId: number, now: number): string[] =>
  db
    .all<{ domain: string }>(
      'SELECT domain FROM former_domain WHERE site_id = ? AND until > ? ORDER BY domain',
      siteId,
      now,
    )
    .map(({ domain }) => domain);

/**
 * A site may have at most this many former domains. No other site can get a former domain for some time. Without this
 * limit, one site could therefore take any number of domains from the other accounts of the server.
 */
const MOST_FORMER = 10;

/** Throws if a site has too many former domains to get another one. A site may always take a former domain back. */
export function assertRoomForFormer(db: Db, siteId: number, domain: string, now: number): void {
  const sql = 'SELECT count(*) AS n FROM former_domain WHERE site_id = ? AND domain <> ? AND until > ?';
  if ((db.one<{ n: number }>(sql, siteId, domain, now)?.n ?? 0) < MOST_FORMER) return;
  throw new Problem('limit_reached', { message: coded('most_former_domains', { most: MOST_FORMER }) });
}

export const findSiteDomain = (db: Db, siteId: number): string | undefined =>
  db.one<{ domain: string }>('SELECT domain FROM site WHERE id = ?', siteId)?.domain;

/**
 * Changes the domain of a site. Returns the time until which hits with the former domain count. Returns undefined if
 * the domain stays the same. Call this function inside a transaction.
 */
export function changeDomain(db: Db, siteId: number, domain: string, now: number): number | undefined {
  assertFreeDomain(db, domain, now, siteId);
  const former = findSiteDomain(db, siteId);
  if (former === undefined || former === domain) return undefined;
  const until = now + FORMER_FOR;
  db.run('DELETE FROM former_domain WHERE domain = ? OR until <= ?', domain, now);
  db.run('UPDATE site SET domain = ? WHERE id = ?', domain, siteId);
  // REPLACE is used, because another site may still have a row for this former domain if the clock was set back.
  db.run('REPLACE INTO former_domain (domain, site_id, until) VALUES (?, ?, ?)', former, siteId, until);
  return until;
}
