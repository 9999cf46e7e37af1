import { once } from '../../lib/once.ts';
import { LIVE_SECONDS, VISIT_GAP } from '../../stats/definitions.ts';
import { noTotals } from '../../stats/measured.ts';
import type { Db } from '../../store/db.ts';
import type { StoredBlob } from '../column/blobs.ts';
import {
  type Column,
  makeColumn,
  packShardColumn,
  SHARD_COLUMNS,
  type ShardColumn,
  unpackShardColumn,
} from '../column/column.ts';
import { type Numbers, narrow, pack, unpack } from '../column/packing.ts';
import { findEnds, readEnds } from '../day/day.ts';
import { emptyShardRows, readOnce, type Shard } from '../day/shard.ts';
import { gatherVisits } from '../day/take-visits.ts';
import { readShardBlob } from './shard-table.ts';

/**
 * The visits of a part that were active in its last half hour, written beside it: what comes can extend only these, and who is
 * there now is one of them, so that neither reads the others. `visits` are their places in the part, and `since` is from when on
 * none is missing.
 */
export type Recent = { since: number; visits: Numbers; part: Shard };

/** Hits are stored a minute late at most. */
const RECENT_SECONDS = VISIT_GAP + LIVE_SECONDS;

const NONE = new Uint8Array(0);
const nameOf = (column: string): string => `recent ${column}`;

/** The visits that were active in the last seconds of a part. */
function recentIn(part: Shard): { since: number; visits: Uint32Array } {
  const ends = readEnds(part);
  let latest = Number.NEGATIVE_INFINITY;
  for (let visit = 0; visit < ends.length; visit++) latest = Math.max(latest, ends[visit] as number);
  const since = ends.length === 0 ? 0 : latest - RECENT_SECONDS;
  const visits = new Uint32Array(ends.length);
  let count = 0;
  for (let visit = 0; visit < ends.length; visit++) if ((ends[visit] as number) >= since) visits[count++] = visit;
  return { since, visits: visits.slice(0, count) };
}

/** Some visits of a part, by their places. */
const visitsOf = (part: Shard, visits: Numbers) =>
  gatherVisits(part.day, [part], { shard: new Uint16Array(visits.length), visit: Uint32Array.from(visits) });

export function makeRecentBlobs(part: Shard): StoredBlob[] {
  const { since, visits } = recentIn(part);
  const day = visitsOf(part, visits);
  const codes = part.codes();
  // The first visit of a visitor may not be among them.
  const again = visits.map((visit, i) => (i > 0 && codes[visits[i - 1] as number] === codes[visit] ? 1 : 0));
  const columnOfDay = (name: ShardColumn): Column => (name === 'again' ? makeColumn('again', again) : day.column(name));
  return [
    { name: nameOf('visits'), data: pack([narrow([since]), narrow(visits)]) },
    { name: nameOf('visitor'), data: pack([Float64Array.from(visits, (visit) => codes[visit] as number)]) },
    ...SHARD_COLUMNS.map((name) => ({ name: nameOf(name), data: packShardColumn(name, columnOfDay(name)) })),
  ];
}

/** The recent visits of a part, of which each column is read when it is first used. */
export function readRecent(db: Db, whole: Shard, partId: number): Recent {
  const [[since = 0] = NONE, visits = NONE] = unpack(readShardBlob(db, partId, nameOf('visits')));
  function readCodes(): Float64Array {
    const [codes] = unpack(readShardBlob(db, partId, nameOf('visitor')));
    if (!(codes instanceof Float64Array)) throw new RangeError('codes of visitors have eight bytes each');
    return codes;
  }
  const part: Shard = {
    day: whole.day,
    totals: { ...noTotals(), visits: visits.length },
    column: readOnce((name: ShardColumn) => unpackShardColumn(name, readShardBlob(db, partId, nameOf(name)))),
    ends: once(() => findEnds(part)),
    codes: once(readCodes),
    idle: emptyShardRows(0),
  };
  return { since, visits, part };
}
