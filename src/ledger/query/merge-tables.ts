// Merges the rows of a table that were counted by several threads, or separately for several shards or days.
//
// Invariant: rows with equal values of all keys become one row. Merging means adding, as in merge.ts.
//
// Example: one thread has 30 visitors of (DE, Firefox), and another thread has 5. The merged row has 35 visitors.
// merge.ts and table-counter.ts call `mergeTables`.
import type { SumName } from '../../stats/metrics.ts';
import type { Column } from '../column/packing.ts';
import { countCombinations, makeCombinations, numberRows } from '../count/combinations.ts';
import { makePairCounter } from '../count/pair-counts.ts';
import { listCodes } from '../count/plain-codes.ts';
import {
  isPair,
  listPairs,
  listRows,
  orderKeys,
  type TableCount,
  type TableQuery,
  TOO_LONG,
  takeCounts,
} from './table-count.ts';

export function mergeTables(query: TableQuery, partials: readonly TableCount[]): TableCount {
  if (partials.some(({ isTooLong }) => isTooLong)) return TOO_LONG;
  const [first, ...others] = partials.filter(({ visitors }) => visitors.length > 0);
  if (first && others.length === 0) return first;
  return mergePairs(query, partials) ?? mergeRows(query, partials);
}

const readKeys = ({ by }: TableQuery, { keys }: TableCount): Column[] =>
  orderKeys(by).map((place) => keys[place] as Column);

/**
 * Merges tables that have two keys, and no figures except visitors. Returns undefined for other tables, and if the
 * tables have too many pairs of values.
 */
function mergePairs(query: TableQuery, partials: readonly TableCount[]): TableCount | undefined {
  const pairs = makePairCounter();
  for (const partial of partials) {
    const keys = readKeys(query, partial);
    const isPlain = isPair(keys) && Object.keys(partial.more).length === 0;
    if (!isPlain || !pairs.addPairs({ keys, visitors: partial.visitors })) return undefined;
  }
  return listPairs(query, pairs.list());
}

function mergeRows(query: TableQuery, partials: readonly TableCount[]): TableCount {
  const combinations = makeCombinations(query.by.length);
  const numbered = partials.map((partial) => ({
    ...partial,
    rows: numberRows(combinations, readKeys(query, partial), partial.visitors.length),
  }));
  const size = countCombinations(combinations);
  const addAll = (read: (partial: TableCount) => ArrayLike<number> | undefined): Float64Array => {
    const sums = new Float64Array(size);
    for (const partial of numbered) addList(sums, partial.rows, read(partial) ?? []);
    return sums;
  };
  const names = [...new Set(partials.flatMap(({ more }) => Object.keys(more) as SumName[]))];
  return listRows(
    query,
    combinations,
    listCodes(size),
    addAll(({ visitors }) => visitors),
    (rows) =>
      Object.fromEntries(
        names.map((name) => [
          name,
          takeCounts(
            addAll(({ more }) => more[name]),
            rows,
          ),
        ]),
      ),
  );
}

function addList(sums: Float64Array, rows: Uint32Array, list: ArrayLike<number>): void {
  for (let i = 0; i < list.length; i++) {
    const row = rows[i] as number;
    sums[row] = (sums[row] as number) + (list[i] as number);
  }
}
