import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SealedDay } from '../../catalog/sealed-days.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError, type StoredBlob } from '../column/blobs.ts';
import { type Column, type Numbers, pack, unpack } from '../column/packing.ts';
import type { Scale } from './hour-buckets.ts';

/**
 * How quarter hours are numbered. In nearly all time zones, each hour begins together with a quarter hour of UTC. For
 * this reason, hits are counted by quarter hour. Quarter 0 begins 16 hours before 00:00 UTC, because no time zone is
 * more than 16 hours ahead of UTC. The quarters 0 to 255 cover the day in every zone, and their numbers fit into a
 * byte.
 */
export const QUARTERS: Scale = { unit: 15 * MINUTE, from: -16 * HOUR };

/**
 * The name of the blob with the quarter hour of each hit. Reading quarter hours takes a sixth of the time of reading
 * seconds.
 */
export const QUARTER = 'quarter';

export function findQuarters(seconds: Numbers): Uint8Array {
  const quarters = new Uint8Array(seconds.length);
  for (let hit = 0; hit < seconds.length; hit++) {
    quarters[hit] = Math.floor(((seconds[hit] as number) - QUARTERS.from) / QUARTERS.unit);
  }
  return quarters;
}

/**
 * With `memLevel` 5, deflate makes shorter blocks, and packs each block in the way that fits its bytes best. The packed
 * quarter hours are a tenth smaller than with Node's default.
 */
const PACKING = { memLevel: 5 };

export const packQuarters = (seconds: Numbers): StoredBlob => ({
  name: QUARTER,
  data: deflateRawSync(pack([findQuarters(seconds)]), PACKING),
});

/**
 * Unpacks the quarter hours of all hits, one byte for each hit. With a `chunkSize` slightly larger than the list,
 * `inflateRawSync` fills one buffer and need not join several.
 */
export const unpackQuarters = (bytes: Uint8Array, hits: number): Numbers =>
  unpack(inflateRawSync(bytes, { chunkSize: hits + 1024 }))[0] ?? new Uint8Array(0);

export function readQuarters(db: Db, { id, pageviews, events }: SealedDay): Column {
  const bytes = findBlob(db, 'sealed_blob', id, QUARTER);
  if (!bytes) throw makeMissingError(db, 'sealed_blob', id, QUARTER);
  return { terms: new Uint8Array(0), codes: unpackQuarters(bytes, pageviews + events) };
}
