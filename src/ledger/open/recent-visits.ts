// Stores a shard's recent visits a second time, in small columns of their own. These are the visits that ended in the
// last 35 minutes of the shard. New hits mostly extend only recent visits, so most queries need not read the whole
// shard.
//
// Invariant: `since` is 35 minutes before the end of the shard's latest visit. Every visit of the shard that ended at
// second `since` or later is stored here.
//
// Example: of 25,000 visits of a shard, 900 were active in its last 35 minutes. After a new hit, a query reads the
// columns of these 900 visits, and not of all 25,000. split-shard.ts writes these columns, and open-day.ts reads them.
// Test: test/ledger/open/active-visits.test.ts.
import { once } from '../../lib/once.ts';
import { noTotals } from '../../stats/aggregates.ts';
import { LIVE_SECONDS, VISIT_GAP } from '../../stats/definitions.ts';
import type { Db } from '../../store/db.ts';
import type { StoredBlob } from '../column/blobs.ts';
import { isHitColumn, makeColumn, packShardColumn, SHARD_COLUMNS, type ShardColumn } from '../column/column.ts';
import { type Column, type Numbers, narrow, pack, unpack } from '../column/packing.ts';
import { findEnds, readEnds } from '../day/day.ts';
import { emptyShardRows, readOnce, type Shard } from '../day/shard.ts';
import { gatherVisits } from '../day/take-visits.ts';
import { readShardBlob, readShardColumn, type ShardRow } from './shard-table.ts';

/**
 * The recent visits of a shard: those that ended at second `since` or later. `visits` has their indexes in the whole
 * shard. `shard` has their columns.
 */
export type Recent = { since: number; visits: Numbers; shard: Shard };

/**
 * How long a visit is recent. A visit is recent if it ended at most 35 minutes before the end of the shard's latest
 * visit. 30 minutes are for new hits, which extend only visits that ended at most 30 minutes earlier. The other five
 * minutes are for the report of active visitors, and for hits that arrive a little late.
 */
const RECENT_SECONDS = VISIT_GAP + LIVE_SECONDS;

export function makeRecentBlobs(shard: Shard): StoredBlob[] {
  const { since, visits } = findRecent(shard);
  const day = takeRecent(shard, visits);
  const codes = shard.codes();
  // In the whole shard, `again` is 1 if the visit before is by the same visitor. That earlier visit may be too old to
  // be stored here. If `again` were still 1, the visit would seem to be by the visitor of the stored visit before it.
  // For this reason, the column is made again.
  const again = visits.map((visit, i) => (i > 0 && codes[visits[i - 1] as number] === codes[visit] ? 1 : 0));
  const columnOfDay = (name: ShardColumn): Column => (name === 'again' ? makeColumn('again', again) : day.column(name));
  return [
    { name: nameBlob('visits'), data: pack([narrow([since]), narrow(visits)]) },
    { name: nameBlob('visitor'), data: pack([Float64Array.from(visits, (visit) => codes[visit] as number)]) },
    ...SHARD_COLUMNS.map((name) => ({ name: nameBlob(name), data: packShardColumn(name, columnOfDay(name)) })),
  ];
}

/** Reads the recent visits of a shard. Each column is read when a query first uses it. */
export function readRecent(db: Db, whole: Shard, row: ShardRow): Recent {
  const { id: shardId } = row;
  const [[since = 0] = NONE, visits = NONE] = unpack(readShardBlob(db, shardId, nameBlob('visits')));
  function readCodes(): Float64Array {
    const [codes] = unpack(readShardBlob(db, shardId, nameBlob('visitor')));
    if (!(codes instanceof Float64Array)) throw new RangeError('codes of visitors have eight bytes each');
    return codes;
  }
  function readColumn(name: ShardColumn): Column {
    const rows = isHitColumn(name) ? countHits(shard.column('hits').codes) : visits.length;
    return readShardColumn(db, row, name, { rows, blob: nameBlob(name) });
  }
  const shard: Shard = {
    day: whole.day,
    totals: { ...noTotals(), visits: visits.length },
    column: readOnce((name: ShardColumn) => readColumn(name)),
    ends: once(() => findEnds(shard)),
    codes: once(readCodes),
    idle: emptyShardRows(0),
  };
  return { since, visits, shard };
}

function countHits(hits: Numbers): number {
  let sum = 0;
  for (let i = 0; i < hits.length; i++) sum += hits[i] as number;
  return sum;
}

const NONE = new Uint8Array(0);
const nameBlob = (column: string): string => `recent ${column}`;

function findRecent(shard: Shard): { since: number; visits: Uint32Array } {
  const ends = readEnds(shard);
  let latest = Number.NEGATIVE_INFINITY;
  for (let visit = 0; visit < ends.length; visit++) latest = Math.max(latest, ends[visit] as number);
  const since = ends.length === 0 ? 0 : latest - RECENT_SECONDS;
  const visits = new Uint32Array(ends.length);
  let count = 0;
  for (let visit = 0; visit < ends.length; visit++) if ((ends[visit] as number) >= since) visits[count++] = visit;
  return { since, visits: visits.slice(0, count) };
}

const takeRecent = (shard: Shard, visits: Numbers) =>
  gatherVisits(shard.day, [shard], { shard: new Uint16Array(visits.length), visit: Uint32Array.from(visits) });
