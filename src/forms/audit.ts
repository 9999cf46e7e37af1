import { seconds } from '../lib/time.ts';
import { type AuditEntry, addAuditEntry } from '../store/people/audit-entries.ts';
import { findUserById } from '../store/people/users.ts';
import type { Pages } from './link.ts';

type Changed = Pick<AuditEntry, 'action' | 'noun'> & { name?: string };

/**
 * Adds an entry to the audit log after a user has changed something on a page. The entry belongs to the account of the
 * user, or to `accountId`. For example, a person who joins a team changes the team's account.
 */
export function recordOnPage({ db, clock }: Pages, userId: number, changed: Changed, accountId?: number): void {
  const user = findUserById(db, userId);
  if (!user) return;
  addAuditEntry(db, {
    ...{ name: '', ...changed, fields: [], at: seconds(clock) },
    ...{ accountId: accountId ?? user.accountId, email: user.email, way: 'page', way_name: '', site: '' },
  });
}
