import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SealedDay } from '../../catalog/sealed-days.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError, type StoredBlob } from '../column/blobs.ts';
import type { Column } from '../column/column.ts';
import { type Numbers, pack, unpack } from '../column/packing.ts';
import type { Scale } from './hour-buckets.ts';

/**
 * Hits are counted by quarter hour, because the hours of nearly all time zones begin with one. Quarter 0 begins 16
 * hours before 00:00 UTC on the date of the day, because no time zone is further ahead of UTC. The 256 quarters from
 * there on cover 64 hours. So they have room for the day of every time zone, and a quarter fits into a byte.
 */
export const QUARTERS: Scale = { unit: 15 * MINUTE, from: -16 * HOUR };

/**
 * The name of the blob (packed bytes in the database) with the quarter hour of each hit. Reading this blob takes a
 * sixth of the time of reading the second of each hit.
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
 * Visits are sorted by time, so the list of quarter hours rises from its beginning to its end. With this setting,
 * deflate compresses smaller blocks of similar numbers. The result takes a tenth less space.
 */
const PACKING = { memLevel: 5 };

export const packQuarters = (seconds: Numbers): StoredBlob => ({
  name: QUARTER,
  data: deflateRawSync(pack([findQuarters(seconds)]), PACKING),
});

/**
 * The unpacked list has a byte for each hit, and `chunkSize` is a little more. So `inflateRawSync` fills a single
 * buffer and need not join several.
 */
export const unpackQuarters = (bytes: Uint8Array, hits: number): Numbers =>
  unpack(inflateRawSync(bytes, { chunkSize: hits + 1024 }))[0] ?? new Uint8Array(0);

export function readQuarters(db: Db, { id, pageviews, events }: SealedDay): Column {
  const bytes = findBlob(db, 'sealed_blob', id, QUARTER);
  if (!bytes) throw makeMissingError('sealed_blob', id, QUARTER);
  return { terms: new Uint8Array(0), codes: unpackQuarters(bytes, pageviews + events) };
}
