import type { Db } from '../db.ts';

/** How far a log file has been read: the number of bytes and lines of its text. */
export type Position = { offset: number; lines: number };

/**
 * A position, with the beginning of its file: `fingerprint` is the hash of the first `length` bytes. By this hash, the
 * file is recognised even after it was renamed.
 */
export type LogPosition = Position & { fingerprint: Buffer; length: number };

/**
 * Lists the lengths of a site's fingerprints, the longest first. Lengths above `most` are left out. A fingerprint is
 * the hash of the first `length` bytes of a log file. The caller has read the first `most` bytes of a file. To
 * recognise this file, the caller tries each length.
 */
export const listFingerprintLengths = (db: Db, siteId: number, most: number): number[] =>
  db
    .all<{ length: number }>(
      'SELECT DISTINCT length FROM log_position WHERE site_id = ? AND length <= ? ORDER BY length DESC',
      siteId,
      most,
    )
    .map(({ length }) => length);

export const findLogPosition = (db: Db, siteId: number, fingerprint: Buffer): LogPosition | undefined =>
  db.one(
    'SELECT fingerprint, length, offset, lines FROM log_position WHERE site_id = ? AND fingerprint = ?',
    siteId,
    fingerprint,
  );

export const addLogPosition = (db: Db, siteId: number, { fingerprint, length, offset, lines }: LogPosition): void => {
  const sql = 'INSERT INTO log_position (site_id, fingerprint, length, offset, lines) VALUES (?, ?, ?, ?, ?)';
  db.run(sql, siteId, fingerprint, length, offset, lines);
};

export const removeLogPosition = (db: Db, siteId: number, fingerprint: Buffer): void => {
  db.run('DELETE FROM log_position WHERE site_id = ? AND fingerprint = ?', siteId, fingerprint);
};

export const removeLogPositions = (db: Db, siteId: number): void => {
  db.run('DELETE FROM log_position WHERE site_id = ?', siteId);
};
