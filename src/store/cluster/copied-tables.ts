// The primary sends some of its tables to collectors. Examples are the sites, their time zones and blocks, hashes of
// tokens, salts, and the servers of the cluster with the name of their installation. The primary sends all rows (a
// mirror), and the collector makes its own copies of these tables equal.
//
// Invariant: after setMirror, the copies on a collector equal the tables of the primary. Only salts may differ: a
// primary that was restored from a backup may make a second salt for a day. Collectors keep the first salt, because all
// collectors have it.
//
// Example: a site gets another domain. The next mirror has one changed row of `site`. setMirror changes that row and
// returns `Set { 'site' }`. src/collectors/settings.ts sends mirrors, and src/collectors/primary.ts receives them.

import { cached } from '../../lib/cache.ts';
import { findCanonicalZone } from '../../lib/zone.ts';
import type { Db } from '../db.ts';
import { SERVER_STATES } from './cluster-servers.ts';
import { COLLECT_TOKENS } from './collect-tokens.ts';

const MIRRORED = {
  site: {
    columns: [
      'id',
      'account_id',
      'domain',
      'track_crawlers',
      'private_paths',
      'page_parameters',
      'dimensions_off',
      'places',
      'track_vitals',
      'currency',
      'time_zone',
    ],
  },
  zone_change: { columns: ['site_id', 'at', 'day', 'time_zone'] },
  block: { columns: ['id', 'site_id', 'kind', 'value'] },
  block_key: { columns: ['one', 'key'] },
  former_domain: { columns: ['domain', 'site_id', 'until'] },
  collect_token: { columns: ['id', 'account_id', 'hash', 'sites'] },
  salt: { columns: ['site_id', 'day', 'bytes'] },
  trusted_day: { columns: ['one', 'day'] },
  cluster_server: { columns: ['url', 'shard', 'replica', 'state', 'fill'] },
  division: { columns: ['day', 'shards'] },
  installation: { columns: ['one', 'name'] },
} as const satisfies Record<string, { columns: readonly string[] }>;

export type Mirrored = keyof typeof MIRRORED;
export const MIRRORED_TABLES = Object.keys(MIRRORED) as Mirrored[];

type CopiedRow = (string | number)[];
type DeletedSalt = { day: number; bytes: Buffer };
/** The rows of each copied table. A row is the list of the values of its columns. */
export type Mirror = Record<Mirrored, CopiedRow[]>;

/** Copied tables that exist only on collectors. For each, the SQL with which the primary computes its rows. */
const COMPUTED: Partial<Record<Mirrored, string>> = { collect_token: COLLECT_TOKENS };

const selectColumn = (name: string): string => (name === 'bytes' ? 'hex(bytes)' : name);

export const findMirror = (db: Db): Mirror =>
  db.read(() =>
    Object.fromEntries(MIRRORED_TABLES.map((table) => [table, listRows(db, table, COMPUTED[table])])),
  ) as Mirror;

function listRows(db: Db, table: Mirrored, source: string = table): CopiedRow[] {
  const columns = MIRRORED[table].columns.map(selectColumn).join(', ');
  return db.lists<CopiedRow>(`SELECT ${columns} FROM ${source} ORDER BY 1, 2`);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isZone = cached((name) => findCanonicalZone(name) !== undefined);

/**
 * Checks for values that the primary sends, by column name. All columns that are not listed here have whole numbers.
 */
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  domain: isText,
  private_paths: isText,
  page_parameters: isText,
  dimensions_off: isText,
  currency: isText,
  kind: isText,
  value: isText,
  key: (value) => /^[\dA-F]{64}$/.test(String(value)),
  time_zone: (value) => typeof value === 'string' && isZone(value),
  bytes: (value) => /^[\dA-F]{64}$/.test(String(value)),
  hash: (value) => /^[\dA-F]{64}$/.test(String(value)),
  sites: (value) => /^(?:|\[[\d,]*\])$/.test(String(value)),
  url: (value) => isText(value) && /^https?:$/.test(URL.parse(String(value))?.protocol ?? ''),
  shards: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  name: (value) => /^[\da-f]{32}$/.test(String(value)),
  state: (value) => SERVER_STATES.some((state) => state === value),
};

/** Says in words what is wrong with a row from the primary. Returns undefined for a valid row. */
export function findRowFault(table: Mirrored, row: readonly (string | number)[]): string | undefined {
  const { columns } = MIRRORED[table];
  const wrong = columns.findIndex((name, i) => !(CHECKS[name] ?? Number.isSafeInteger)(row[i]));
  if (wrong >= 0) return `${table}.${columns[wrong]} is ${JSON.stringify(row[wrong])?.slice(0, 50)}`;
  return row.length === columns.length ? undefined : `a row of ${table} has ${row.length} values`;
}

/**
 * Makes a collector have salts for the same sites and days as the primary. A salt that the primary sent earlier keeps
 * its bytes, because hits were already counted with it. A salt that the collector made itself is deleted, and replaced
 * if the primary sent one. Returns the deleted salts as bytes and not as texts, because a text cannot be overwritten in
 * memory.
 */
function setSalts(db: Db, salts: readonly CopiedRow[]): { isChanged: boolean; removed: DeletedSalt[] } {
  const joinKey = ([siteId, day]: CopiedRow): string => `${siteId} ${day}`;
  const given = new Set(salts.map(joinKey));
  const own = db.lists<CopiedRow>('SELECT site_id, day FROM salt WHERE own = 1');
  const before = db.lists<CopiedRow>('SELECT site_id, day FROM salt WHERE own = 0');
  const kept = new Set(before.map(joinKey).filter((key) => given.has(key)));
  const gone = [...own, ...before.filter((row) => !kept.has(joinKey(row)))];
  const come = salts.filter((row) => !kept.has(joinKey(row)));
  const removed = gone.flatMap((row) =>
    db.all<DeletedSalt>('DELETE FROM salt WHERE site_id = ? AND day = ? RETURNING day, bytes', ...row),
  );
  for (const row of come) db.run('INSERT INTO salt (site_id, day, bytes, own) VALUES (?, ?, unhex(?), 0)', ...row);
  return { isChanged: gone.length + come.length > 0, removed };
}

/** Deletes all salts of a collector that the primary refuses. Returns the deleted salts. */
export const removeAllSalts = (db: Db): DeletedSalt[] =>
  db.write(() => db.all<DeletedSalt>('DELETE FROM salt RETURNING day, bytes'));

/** True if the collector has salts that it made itself. The next mirror from the primary removes them (`setSalts`). */
export const hasOwnSalts = (db: Db): boolean => db.one('SELECT 1 FROM salt WHERE own = 1 LIMIT 1') !== undefined;

/** Makes a table equal to the rows from the primary. Returns true if the table changed. */
function setTable(db: Db, table: Exclude<Mirrored, 'salt'>, rows: readonly CopiedRow[]): boolean {
  const { columns } = MIRRORED[table];
  const [before, after] = [listRows(db, table), rows].map(
    (some) => new Map(some.map((row) => [JSON.stringify(row), row])),
  ) as [Map<string, CopiedRow>, Map<string, CopiedRow>];
  const is = columns.map((name) => `${name} IS ?`).join(' AND ');
  const put = columns.map(() => '?').join(', ');
  const gone = [...before].filter(([key]) => !after.has(key));
  const come = [...after].filter(([key]) => !before.has(key));
  for (const [, row] of gone) db.run(`DELETE FROM ${table} WHERE ${is}`, ...row);
  for (const [, row] of come) db.run(`REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${put})`, ...row);
  return gone.length + come.length > 0;
}

/**
 * Makes all copied tables equal to the rows from the primary. Returns the names of the tables that changed, and the
 * deleted salts. Call this function inside a transaction: then either all changes are stored, or none.
 */
export function setMirror(db: Db, mirror: Mirror): { changed: Set<Mirrored>; removed: DeletedSalt[] } {
  let removed: DeletedSalt[] = [];
  const set = (table: Mirrored): boolean => {
    if (table !== 'salt') return setTable(db, table, mirror[table]);
    const salts = setSalts(db, mirror.salt);
    removed = salts.removed;
    return salts.isChanged;
  };
  return { changed: new Set(MIRRORED_TABLES.filter(set)), removed };
}
