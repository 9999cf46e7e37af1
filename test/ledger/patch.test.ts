import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { COLUMNS } from '../../src/ledger/columns.ts';
import { foldPart } from '../../src/ledger/fold.ts';
import { emptyPart, emptyPartRows, type Part, type PartRows } from '../../src/ledger/part.ts';
import { addRows, patched, patchOf } from '../../src/ledger/patch.ts';
import { TEXT_FIELDS } from '../../src/stats/dimensions.ts';
import { type Hit, TODAY } from '../collect/stage.ts';
import { site } from '../stats/random.ts';

const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** The rows of hits, in order of arrival. */
function rowsOf(hits: readonly Hit[], terms: Map<string, number>): PartRows {
  const termOf = (text: string): number => {
    if (!terms.has(text)) terms.set(text, terms.size);
    return terms.get(text) ?? 0;
  };
  const rows = emptyPartRows(hits.length);
  for (const [i, hit] of hits.entries()) {
    rows.second[i] = hit.second;
    rows.visitor[i] = hit.visitor;
    rows.engaged[i] = hit.engaged ?? -1;
    rows.arrival[i] = i;
    for (const field of TEXT_FIELDS)
      rows.terms[field][i] = termOf(hit.engaged === null || field === 'page' ? hit[field] : '');
  }
  rows.count = hits.length;
  return rows;
}

/** What a part says of its visits, but for how long each page was seen. */
function told(part: Part) {
  const columns = [...COLUMNS, 'arrival' as const].filter((name) => name !== 'engaged');
  const valuesOf = (name: (typeof columns)[number]): number[] => {
    const { terms, codes } = part.column(name);
    return Array.from(codes, (code) => (terms.length === 0 ? code : (terms[code] as number)));
  };
  return {
    totals: part.totals,
    visitors: [...part.codes()],
    columns: Object.fromEntries(columns.map((name) => [name, valuesOf(name)])),
  };
}

const idleOf = ({ idle }: Part): string[] =>
  all(idle.count)
    .map((i) => [idle.visitor, idle.second, idle.engaged, idle.terms.page, idle.arrival].map((list) => list[i]).join())
    .sort();

test('a part to which rows came, in any order and in any portions, is as if all had been folded at once', () => {
  const property = fc.property(
    site,
    fc.array(fc.nat(12), { maxLength: 40 }),
    fc.nat(4),
    ({ hits }, portions, depth) => {
      const ofDay = hits.filter(({ day }) => day === TODAY || day === TODAY - 1);
      const rows = rowsOf(ofDay, new Map([['', 0]]));
      let part = emptyPart(TODAY);
      let patch = patchOf(part);
      let from = 0;
      for (const [i, portion] of [...portions, rows.count].entries()) {
        const to = Math.min(from + portion, rows.count);
        addRows(patch, rows, all(to).slice(from));
        from = to;
        part = patched(patch);
        const whole = foldPart(TODAY, rowsOf(ofDay.slice(0, to), new Map([['', 0]])));
        assert.deepEqual(told(part), told(whole));
        assert.deepEqual(idleOf(part), idleOf(whole));
        // Now and then what was put together is the base for more.
        if (i % (depth + 1) === 0) patch = patchOf(part);
      }
    },
  );
  fc.assert(property, { numRuns: 200, interruptAfterTimeLimit: 20_000 });
});
