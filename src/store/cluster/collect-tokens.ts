// The tokens with which servers of websites may send hits to a collector. The primary lists them, and each collector
// gets a copy (copied-tables.ts).
//
// Invariant: the secret of a token never leaves the primary, only its hash. The list has exactly the tokens that the
// primary would accept for hits (test/collectors/token-check.test.ts). Such a token has the ability `collect` or
// `write`. Its user owns the account, or manages sites of the account.
//
// Example: the user of token 12 owns account 3, and manages two sites of account 5. The list has the rows
// `{id: 12, account_id: 3, sites: ''}` and `{id: 12, account_id: 5, sites: '[7,9]'}`. Empty `sites` means all sites.
import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

/**
 * True if the token may send hits of the site. Only collectors call this function, because only they have the table
 * `collect_token`.
 */
export const mayCollect = (db: Db, tokenId: number, siteId: number): boolean =>
  db.one(
    `SELECT 1 FROM collect_token t JOIN site ON site.account_id = t.account_id WHERE t.id = ? AND site.id = ?
     AND (t.sites = '' OR EXISTS (SELECT 1 FROM json_each(t.sites) WHERE value = site.id))`,
    tokenId,
    siteId,
  ) !== undefined;

const NO_HASH = Buffer.alloc(32);

/**
 * True if the collector's list has a token with this id and secret. `mayCollect` then tells for which sites the token
 * may send hits. Only collectors call this function.
 */
export function hasCollectToken(db: Db, id: number, secret: string): boolean {
  const row = db.one<{ hash: string }>('SELECT hash FROM collect_token WHERE id = ? LIMIT 1', id);
  const hash = row ? Buffer.from(row.hash, 'hex') : NO_HASH;
  return timingSafeEqual(hashSecret(secret), hash) && row !== undefined;
}

/** The SQL subquery with which the primary lists the tokens that may send hits. */
export const COLLECT_TOKENS = `(
  SELECT token.id, reach.account_id, hex(token.hash) AS hash, reach.sites
  FROM token
  JOIN (SELECT user_id, id AS account_id, '' AS sites FROM account
        UNION ALL
        SELECT user_id, account_id, CASE WHEN sees_all = 1 THEN '' ELSE (
          SELECT json_group_array(site_id ORDER BY site_id) FROM member_site WHERE member_id = member.id) END
        FROM member WHERE role = 'manager' AND user_id IS NOT NULL
  ) reach ON reach.user_id = token.user_id
  WHERE EXISTS (SELECT 1 FROM json_each(token.abilities) WHERE value IN ('collect', 'write')))`;
