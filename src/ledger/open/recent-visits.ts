// A shard has some visitors of an open day with all their hits. The visits that were active in a shard's last 35
// minutes are stored a second time, in small columns. New hits mostly extend only these visits. Active visitors are
// also found in these visits. So most queries need not read the whole shard.
// Invariant: every visit of the shard that ended at second `since` or later is stored here. The shard's latest visit
// ended 35 minutes after `since` (test/ledger/open/active-visits.test.ts).
//
// Example: of a shard's 25,000 visits, 900 were active in its last 35 minutes. When a hit comes, columns of 900 rows
// are read, not of 25,000.
// split-shard.ts writes these columns with each shard. open-day.ts reads them.
import { once } from '../../lib/once.ts';
import { noTotals } from '../../stats/aggregates.ts';
import { LIVE_SECONDS, VISIT_GAP } from '../../stats/definitions.ts';
import type { Db } from '../../store/db.ts';
import type { StoredBlob } from '../column/blobs.ts';
import {
  type Column,
  isHitColumn,
  makeColumn,
  packShardColumn,
  SHARD_COLUMNS,
  type ShardColumn,
} from '../column/column.ts';
import { type Numbers, narrow, pack, unpack } from '../column/packing.ts';
import { findEnds, readEnds } from '../day/day.ts';
import { emptyShardRows, readOnce, type Shard } from '../day/shard.ts';
import { gatherVisits } from '../day/take-visits.ts';
import { readShardBlob, readShardColumn, type ShardRow } from './shard-table.ts';

/**
 * The latest visits of a shard (some visitors of a day), stored a second time in small columns. These are all visits
 * that ended at second `since` of the day or later. `visits` has the numbers of these visits in the whole shard.
 */
export type Recent = { since: number; visits: Numbers; shard: Shard };

/**
 * The time from `since` to the end of the shard's latest visit. Visits that ended in this time are stored again. A new
 * hit extends only visits of the last 30 minutes (`VISIT_GAP`). Five more minutes are for active visitors, and for hits
 * that are stored late.
 */
const RECENT_SECONDS = VISIT_GAP + LIVE_SECONDS;

export function makeRecentBlobs(shard: Shard): StoredBlob[] {
  const { since, visits } = findRecent(shard);
  const day = takeRecent(shard, visits);
  const codes = shard.codes();
  // The column `again` is 1 for every visit of a visitor except the first. The visitor's first visit may not be among
  // these recent visits. So the column is made anew. With the old values, the visitor would not be counted.
  const again = visits.map((visit, i) => (i > 0 && codes[visits[i - 1] as number] === codes[visit] ? 1 : 0));
  const columnOfDay = (name: ShardColumn): Column => (name === 'again' ? makeColumn('again', again) : day.column(name));
  return [
    { name: nameBlob('visits'), data: pack([narrow([since]), narrow(visits)]) },
    { name: nameBlob('visitor'), data: pack([Float64Array.from(visits, (visit) => codes[visit] as number)]) },
    ...SHARD_COLUMNS.map((name) => ({ name: nameBlob(name), data: packShardColumn(name, columnOfDay(name)) })),
  ];
}

/**
 * Reads the visits of a shard's last 35 minutes. Most queries need only a few columns, so each column is read when it
 * is first used.
 */
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
  for (const one of hits) sum += one;
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
