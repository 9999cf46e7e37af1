import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packScroll } from '../../../src/engine/import-content.ts';
import { COLUMNS, isHitColumn, SHARD_COLUMNS, type ShardColumn } from '../../../src/ledger/column/column.ts';
import { type Day, findStarts, type SomeVisits, selectAll, takeAllVisits } from '../../../src/ledger/day/day.ts';
import { sessionize } from '../../../src/ledger/day/sessionize.ts';
import {
  ALL_VISITORS,
  emptyShard,
  emptyShardRows,
  type Shard,
  type ShardRows,
  takeShardRows,
} from '../../../src/ledger/day/shard.ts';
import {
  addRows,
  applyDelta,
  beginDelta,
  type Delta,
  findChange,
  listLayersWith,
  sessionizeDelta,
} from '../../../src/ledger/open/delta.ts';
import { makeScratch } from '../../../src/ledger/open/merge-columns.ts';
import { TEXT_FIELDS } from '../../../src/stats/dimensions.ts';
import { type Hit, TODAY } from '../../collect/stage.ts';
import { site } from '../../stats/random.ts';
import { share } from '../../support/helpers.ts';

const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** The rows of hits, in order of arrival. */
function rowsOf(hits: readonly Hit[], terms: Map<string, number>): ShardRows {
  const findTerm = (text: string): number => {
    if (!terms.has(text)) terms.set(text, terms.size);
    return terms.get(text) ?? 0;
  };
  const rows = emptyShardRows(hits.length);
  for (const [i, hit] of hits.entries()) {
    rows.second[i] = hit.second;
    rows.visitor[i] = hit.visitor;
    rows.engaged[i] = hit.engaged ?? -1;
    rows.scroll[i] = packScroll(hit.scroll);
    rows.arrival[i] = i;
    for (const field of TEXT_FIELDS)
      rows.terms[field][i] = findTerm(hit.engaged === null || field === 'page' ? hit[field] : '');
  }
  rows.count = hits.length;
  return rows;
}

/** What a part says of its visits. */
function told(part: Shard) {
  const valuesOf = (name: ShardColumn): number[] => {
    const { terms, codes } = part.column(name);
    return Array.from(codes, (code) => (terms.length === 0 ? code : (terms[code] as number)));
  };
  return {
    totals: part.totals,
    visitors: [...part.codes()],
    columns: Object.fromEntries(SHARD_COLUMNS.map((name) => [name, valuesOf(name)])),
  };
}

const idleOf = ({ idle }: Shard): string[] =>
  all(idle.count)
    .map((i) => [idle.visitor, idle.second].map((list) => list[i]).join())
    .sort();

/** What a day says of each visit and of its hits. */
function visitsOf(day: Day): unknown[] {
  const names = COLUMNS.filter((name) => name !== 'again');
  const valueIn = (name: (typeof COLUMNS)[number], row: number): number => {
    const { terms, codes } = day.column(name);
    return (terms.length === 0 ? codes[row] : terms[codes[row] as number]) as number;
  };
  const starts = findStarts(day).slice();
  return all(day.totals.visits).map((visit) => {
    const [from, to] = [starts[visit] as number, starts[visit + 1] as number];
    const hits = all(to - from).map((i) => from + i);
    return names.map((name) => (isHitColumn(name) ? hits.map((hit) => valueIn(name, hit)) : valueIn(name, visit)));
  });
}

/** The visitors of a day, each with all visits and hits, by how often there is such a visitor. */
function visitorsOf(day: Day, counts = new Map<string, number>(), by = 1): Map<string, number> {
  const again = day.column('again').codes;
  let visits: unknown[] = [];
  for (const [visit, one] of visitsOf(day).entries()) {
    visits.push(one);
    if (again[visit + 1] === 1) continue;
    const key = JSON.stringify(visits);
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
    visits = [];
  }
  return counts;
}

/** The visits that count, in any order. */
const counted = (days: readonly SomeVisits[]): string[] =>
  days
    .flatMap(({ day, counted }) => {
      const [own, { visits, count }] = [visitsOf(day), counted(selectAll(day))];
      return Array.from(visits.subarray(0, count), (visit) => JSON.stringify(own[visit]));
    })
    .sort();

/** What is counted of a delta as if rows had been added. */
function daysWith(delta: Delta, came: ShardRows): SomeVisits[] {
  const { layers, rows } = listLayersWith(delta, came, emptyShardRows(0));
  const days = layers.map(({ base, touched }): SomeVisits => ({ day: base, counted: (some) => touched.leave(some) }));
  return [...days, takeAllVisits(sessionize(TODAY, rows))];
}

test('a part to which rows came, in any order and in any portions, is as if all had been folded at once', () => {
  const property = fc.property(
    site,
    fc.array(fc.nat(12), { maxLength: 40 }),
    fc.nat(4),
    ({ hits }, portions, depth) => {
      const ofDay = hits.filter(({ day }) => day === TODAY || day === TODAY - 1);
      const rows = rowsOf(ofDay, new Map([['', 0]]));
      let part = emptyShard(TODAY);
      let delta = beginDelta(part);
      let from = 0;
      for (const [i, portion] of [...portions, rows.count].entries()) {
        const to = Math.min(from + portion, rows.count);
        const came = takeShardRows({ ...rows, count: to }, ALL_VISITORS, { first: 0, since: from });
        const whole = sessionize(TODAY, rowsOf(ofDay.slice(0, to), new Map([['', 0]])));
        assert.deepEqual(counted(daysWith(delta, came)), counted([takeAllVisits(whole)]));
        addRows(delta, came);
        from = to;
        part = applyDelta(delta);
        assert.deepEqual(told(part), told(whole));
        assert.deepEqual(idleOf(part), idleOf(whole));
        assert.deepEqual(counted(daysWith(delta, emptyShardRows(0))), counted([takeAllVisits(whole)]));
        const { lost, found } = findChange(delta, sessionizeDelta(delta), {
          lost: makeScratch(),
          found: makeScratch(),
        });
        assert.deepEqual(visitorsOf(found, visitorsOf(lost, visitorsOf(delta.base), -1)), visitorsOf(whole));
        // Now and then what was put together is the base for more.
        if (i % (depth + 1) === 0) delta = beginDelta(part);
      }
    },
  );
  fc.assert(property, { numRuns: share(400) });
});
