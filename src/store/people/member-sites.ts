// The sites that a team member reaches: all sites of the account, or some of them.
//
// Invariant: a member of some sites does not reach new sites. If one of the member's sites is deleted, the member
// reaches only the remaining ones. Every query that joins members with the table `site` has the condition
// `reachesSite`.
import type { Db } from '../db.ts';

/** The sites of a member. Null means all sites of the account, also sites that are added later. */
export type MemberSites = number[] | null;

/** Writes the condition that a member reaches a row of `site`. `member` is the alias of a row with id and sees_all. */
export const reachesSite = (member: string): string =>
  `(${member}.sees_all = 1 OR EXISTS (SELECT 1 FROM member_site r WHERE r.member_id = ${member}.id AND r.site_id = site.id))`;

/** A column `sites` for a query of `member`: a list of ids as JSON, or NULL for all sites. */
export const MEMBER_SITES = `CASE WHEN sees_all = 0 THEN (
    SELECT json_group_array(site_id ORDER BY site_id) FROM member_site WHERE member_id = member.id) END AS sites`;

/** Reads the column `sites` of a row. */
export const readSites = <Row extends { sites: string | null }>(row: Row) => ({
  ...row,
  sites: row.sites === null ? null : (JSON.parse(row.sites) as number[]),
});

/**
 * Changes the sites that a member reaches. Each site must belong to the account of the member. No site may be in the
 * list twice. Call this function inside a transaction.
 */
export function changeMemberSites(db: Db, memberId: number, sites: MemberSites): void {
  db.run('UPDATE member SET sees_all = ? WHERE id = ?', sites === null ? 1 : 0, memberId);
  db.run('DELETE FROM member_site WHERE member_id = ?', memberId);
  for (const id of sites ?? []) db.run('INSERT INTO member_site (member_id, site_id) VALUES (?, ?)', memberId, id);
}
