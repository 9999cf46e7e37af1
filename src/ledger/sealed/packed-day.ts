import { once } from '../../lib/once.ts';
import type { Totals, UnknownSum } from '../../stats/aggregates.ts';
import type { StoredBlob } from '../column/blobs.ts';
import { COLUMNS, packColumn } from '../column/column.ts';
import { findProperties, packProperties } from '../column/properties.ts';
import { packQuarterSums, sumQuarters } from '../count/quarter-hour-sums.ts';
import { packQuarters } from '../count/quarter-hours.ts';
import type { Day } from '../day/day.ts';
import { type NameTexts, NO_NAMES } from './rollup.ts';
import { makeRollupBlobs } from './row-sums.ts';

/** A past day, or a slice of a large day, ready to be stored. `blobs` has its columns, and `rollups` has its sums. */
export type PackedDay = {
  day: number;
  slice: number;
  totals: Totals;
  unknown?: readonly UnknownSum[] | undefined;
  blobs: StoredBlob[];
  rollups: StoredBlob[];
};

/** Packs a day or slice. Without `texts`, the day has no properties and no revenue. */
export function packDay(day: Day, slice = 0, texts: NameTexts = NO_NAMES): PackedDay {
  const { names, column } = findProperties(day, texts);
  // The columns of properties, the rollup of names and the rollup of values need the names of the properties. The names
  // are listed and sorted only once.
  const properties = { names: once(names), column };
  return {
    day: day.day,
    slice,
    totals: day.totals,
    blobs: [
      ...COLUMNS.map((name) => ({ name, data: packColumn(name, day.column(name)) })),
      packQuarters(day.column('second').codes),
      ...packProperties(properties),
    ],
    rollups: [...makeRollupBlobs({ ...day, properties }, texts), packQuarterSums(sumQuarters(day))],
  };
}
