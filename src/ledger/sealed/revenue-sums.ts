import type { SealedDay } from '../../catalog/sealed-days.ts';
import { OTHER, REVENUE } from '../../stats/dimensions.ts';
import type { Amounts } from '../../stats/revenue.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, rollupTable, type StoredBlob } from '../column/blobs.ts';
import { narrow, pack, unpack } from '../column/packing.ts';
import { makeRevenueReader, sumRevenue } from '../count/revenue.ts';
import { type Day, selectAll } from '../day/day.ts';

/**
 * Packs the revenue of a day: the currencies as numbers, and the sum of each currency. On a day without revenue, both
 * lists are empty. If the hits of the day are deleted, this blob stays.
 */
export const packRevenue = (day: Day, texts: Parameters<typeof makeRevenueReader>[0]): StoredBlob =>
  packAmounts(sumRevenue(day, selectAll(day), {}, makeRevenueReader(texts)));

export function packAmounts(amounts: Amounts): StoredBlob {
  const sums = Object.entries(amounts).filter(([, sum]) => sum !== 0);
  const numbers = sums.map(([currency]) => numberCurrency(currency));
  return { name: REVENUE, data: pack([narrow(numbers), narrow(sums.map(([, sum]) => sum))]) };
}

export function readStoredRevenue(db: Db, day: SealedDay): Amounts {
  const bytes = findBlob(db, rollupTable(day.reduced !== undefined), day.id, REVENUE);
  const [numbers = [], sums = []] = bytes ? unpack(bytes) : [];
  return Object.fromEntries(Array.from(numbers, (number, i) => [nameCurrency(number), sums[i] as number]));
}

/**
 * Turns a currency into a number, because a blob has only numbers. The letters of the currency are read as one number:
 * EUR is 0x455552. The text `(other)` becomes 0. This text stands for the revenue of hits that arrived when the day
 * already had `MOST_AMOUNTS_OF_DAY` different amounts.
 */
const numberCurrency = (name: string): number =>
  name === OTHER ? 0 : Number.parseInt(Buffer.from(name).toString('hex'), 16);
const nameCurrency = (number: number): string =>
  number === 0 ? OTHER : Buffer.from(number.toString(16), 'hex').toString();
