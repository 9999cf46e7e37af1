import { cached } from '../../lib/cache.ts';
import { canonicalZone } from '../../lib/zone.ts';
import type { Db } from '../db.ts';
import { SERVER_STATES } from './cluster-servers.ts';

/**
 * What a collector has of the primary's file: tables, the columns of which it reads, and how a value that is no text or number goes
 * over the wire.
 */
const MIRRORED = {
  site: { columns: ['id', 'domain', 'track_crawlers', 'private_paths', 'time_zone'] },
  zone_change: { columns: ['site_id', 'at', 'day', 'time_zone'] },
  former_domain: { columns: ['domain', 'site_id', 'until'] },
  salt: { columns: ['site_id', 'day', 'bytes'] },
  trusted_day: { columns: ['one', 'day'] },
  cluster_server: { columns: ['url', 'shard', 'replica', 'state', 'fill'] },
} as const satisfies Record<string, { columns: readonly string[] }>;

export type Mirrored = keyof typeof MIRRORED;
export const MIRRORED_TABLES = Object.keys(MIRRORED) as Mirrored[];

type Row = (string | number)[];
/** Rows by table, as lists of the values of its columns. */
export type Mirror = Record<Mirrored, Row[]>;

const readOf = (name: string): string => (name === 'bytes' ? 'hex(bytes)' : name);

function listRows(db: Db, table: Mirrored): Row[] {
  const columns = MIRRORED[table].columns.map(readOf).join(', ');
  return db.lists<Row>(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`);
}

export const findMirror = (db: Db): Mirror =>
  db.read(() => Object.fromEntries(MIRRORED_TABLES.map((table) => [table, listRows(db, table)]))) as Mirror;

const isText = (value: unknown): boolean => typeof value === 'string';
const isZone = cached((name) => canonicalZone(name) !== undefined);

/** What may stand in a column; in the others whole numbers. */
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  domain: isText,
  private_paths: isText,
  time_zone: (value) => typeof value === 'string' && isZone(value),
  bytes: (value) => /^[\dA-F]{64}$/.test(String(value)),
  url: (value) => isText(value) && /^https?:$/.test(URL.parse(String(value))?.protocol ?? ''),
  state: (value) => SERVER_STATES.some((state) => state === value),
};

/** What is wrong with a row, in words; undefined where it is as its table needs it. */
export function faultOfRow(table: Mirrored, row: readonly (string | number)[]): string | undefined {
  const { columns } = MIRRORED[table];
  const wrong = columns.findIndex((name, i) => !(CHECKS[name] ?? Number.isSafeInteger)(row[i]));
  if (wrong >= 0) return `${table}.${columns[wrong]} is ${JSON.stringify(row[wrong])?.slice(0, 50)}`;
  return row.length === columns.length ? undefined : `a row of ${table} has ${row.length} values`;
}

/**
 * Makes the salts those of the primary. One that the collector made itself gives way to that of the primary, and one of which the
 * primary has none goes. One that the primary gave stays, because a primary that was restored makes another, and all collectors have this
 * one. Gives whether anything changed.
 */
function setSalts(db: Db, salts: readonly Row[]): boolean {
  const keyOf = ([siteId, day]: Row): string => `${siteId} ${day}`;
  const given = new Set(salts.map(keyOf));
  const own = db.lists<Row>('SELECT site_id, day FROM salt WHERE own = 1');
  const before = db.lists<Row>('SELECT site_id, day FROM salt WHERE own = 0');
  const kept = new Set(before.map(keyOf).filter((key) => given.has(key)));
  const gone = [...own, ...before.filter((row) => !kept.has(keyOf(row)))];
  const come = salts.filter((row) => !kept.has(keyOf(row)));
  for (const row of gone) db.run('DELETE FROM salt WHERE site_id = ? AND day = ?', ...row);
  for (const row of come) db.run('INSERT INTO salt (site_id, day, bytes, own) VALUES (?, ?, unhex(?), 0)', ...row);
  return gone.length + come.length > 0;
}

/** Whether there is a salt that the primary did not give. */
export const hasOwnSalts = (db: Db): boolean => db.one('SELECT 1 FROM salt WHERE own = 1 LIMIT 1') !== undefined;

/** Makes a table what it is at the primary; gives whether it was not. */
function setTable(db: Db, table: Exclude<Mirrored, 'salt'>, rows: readonly Row[]): boolean {
  const { columns } = MIRRORED[table];
  const [before, after] = [listRows(db, table), rows].map(
    (some) => new Map(some.map((row) => [JSON.stringify(row), row])),
  ) as [Map<string, Row>, Map<string, Row>];
  const is = columns.map((name) => `${name} IS ?`).join(' AND ');
  const put = columns.map(() => '?').join(', ');
  const gone = [...before].filter(([key]) => !after.has(key));
  const come = [...after].filter(([key]) => !before.has(key));
  for (const [, row] of gone) db.run(`DELETE FROM ${table} WHERE ${is}`, ...row);
  for (const [, row] of come) db.run(`REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${put})`, ...row);
  return gone.length + come.length > 0;
}

/** Makes the tables what they are at the primary; gives those that were not. Call it inside a transaction. */
export const setMirror = (db: Db, mirror: Mirror): Set<Mirrored> =>
  new Set(
    MIRRORED_TABLES.filter((table) =>
      table === 'salt' ? setSalts(db, mirror.salt) : setTable(db, table, mirror[table]),
    ),
  );
