import { type Coded, coded } from '../../lang/coded.ts';
import { invalid } from '../../lib/errors.ts';
import { DAY, iso } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/** How long hits of a former domain still count for its site. No other site gets the domain in that time. */
const FORMER_FOR = 30 * DAY;

/** Finds why a site cannot have a domain; undefined if it can. A site may take back its own former domain. */
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

/**
 * Gives a site another domain. Gives the time until which hits of the former domain count, or undefined if nothing
 * changed. Call it inside a transaction.
 */
export function changeDomain(db: Db, siteId: number, domain: string, now: number): number | undefined {
  assertFreeDomain(db, domain, now, siteId);
  const former = db.one<{ domain: string }>('SELECT domain FROM site WHERE id = ?', siteId)?.domain;
  if (former === undefined || former === domain) return undefined;
  const until = now + FORMER_FOR;
  db.run('DELETE FROM former_domain WHERE domain = ? OR until <= ?', domain, now);
  db.run('UPDATE site SET domain = ? WHERE id = ?', domain, siteId);
  // REPLACE, because after a clock was set back the domain may still be another site's former one.
  db.run('REPLACE INTO former_domain (domain, site_id, until) VALUES (?, ?, ?)', former, siteId, until);
  return until;
}
