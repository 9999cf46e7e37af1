// The audit log: what people, programs and commands changed. Each entry says when, by whom, how, and what.
//
// Invariant: the entry of a request or a page is written in the transaction of its change. Therefore both are stored,
// or neither is. The entry of a command is written after the command. An entry has no secret and no IP address. Entries
// are deleted after 400 days.
//
// Example: a token named "deploy" adds the goal signup to example.com. The entry has way "token", way_name "deploy",
// site "example.com", action "add", noun "goals" and name "signup". api/audit.ts adds entries for requests,
// forms/audit.ts for pages, and cli/audit.ts for commands.
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';

export const WAYS = ['session', 'token', 'page', 'command', 'guest'] as const;
export const ACTIONS = ['add', 'change', 'remove', 'run'] as const;

/**
 * The words that say in an entry what was changed. Most are nouns from the paths of the API. The others are things that
 * only pages or commands change, such as `password`.
 */
export const AUDITED_NOUNS = [
  ...[
    'sites',
    'goals',
    'funnels',
    'notes',
    'exclusions',
    'dismissals',
    'views',
    'embeds',
    'blocks',
    'shares',
    'channels',
    'alerts',
    'imports',
    'deletions',
  ],
  ...['team', 'tokens', 'sessions', 'language', 'password', 'email', 'factors', 'codes', 'command'],
] as const;
export type AuditedNoun = (typeof AUDITED_NOUNS)[number];

export type AuditEntry = {
  id: number;
  at: number;
  /** The e-mail address of the user at the time of the change, or an empty text for a command. */
  email: string;
  way: (typeof WAYS)[number];
  /** The name of the token, or the browser of the session. Empty for all other ways. */
  way_name: string;
  /** The domain of the site at the time of the change. Empty if the change was about no site. */
  site: string;
  action: (typeof ACTIONS)[number];
  noun: AuditedNoun;
  /** The name of the changed thing, such as the value of a goal. For a command, this is its words without flags. */
  name: string;
  /** The changed fields, such as time_zone. */
  fields: string[];
};

export type NewAuditEntry = Omit<AuditEntry, 'id'> & { accountId: number | null };

const KEPT_SECONDS = 400 * DAY;
/** The most characters of a stored name. A longer name is cut, because it would make the audit log hard to read. */
const LONGEST_NAME = 200;

/** Adds an entry, and returns its id. If the change deleted the account, the entry belongs to no account. */
export function addAuditEntry(db: Db, entry: NewAuditEntry): number {
  return db.run(
    `INSERT INTO audit_entry (at, account_id, email, way, way_name, site, action, noun, name, fields)
     VALUES (?, (SELECT id FROM account WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[entry.at, entry.accountId, entry.email, entry.way, entry.way_name, entry.site, entry.action, entry.noun],
    ...[cut(entry.name), JSON.stringify(entry.fields)],
  ).id;
}

const cut = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);

type Page = { accountId?: number | undefined; before?: number | undefined; limit: number };

/** Lists entries, the latest first. Without an account, lists the entries of the whole server. */
export const listAuditEntries = (db: Db, { accountId, before, limit }: Page): AuditEntry[] =>
  db
    .all<Omit<AuditEntry, 'fields'> & { fields: string }>(
      `SELECT id, at, email, way, way_name, site, action, noun, name, fields FROM audit_entry
       WHERE ${accountId === undefined ? '' : 'account_id = ? AND'} id < ? ORDER BY id DESC LIMIT ?`,
      ...(accountId === undefined ? [] : [accountId]),
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
    .map((row) => ({ ...row, fields: JSON.parse(row.fields) as string[] }));

export const removeOldAuditEntries = (db: Db, now: number): void => {
  db.run('DELETE FROM audit_entry WHERE at < ?', now - KEPT_SECONDS);
};
