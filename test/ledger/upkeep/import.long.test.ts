import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addImport } from '../../../src/catalog/imports.ts';
import { addPropertyTerms, sealedDays, stageOpen, termsFor } from '../../../src/ledger/upkeep/import.ts';
import { finish } from '../../../src/lib/steps.ts';
import type { Db } from '../../../src/store/db.ts';
import { TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../rows.ts';
import { bookOf, NOW, rowsIn, YESTERDAY } from '../stage.ts';

/** Counts what each transaction adds to some tables. Nested calls belong to the transaction around them. */
function countAdds(db: Db, tables: RegExp) {
  const adds: number[] = [];
  let depth = 0;
  const counting: Db = {
    ...db,
    write(work) {
      if (depth++ === 0) adds.push(0);
      try {
        return db.write(work);
      } finally {
        depth--;
      }
    },
    run(sql, ...values) {
      if (tables.test(sql)) adds[adds.length - 1] = (adds.at(-1) ?? 0) + 1;
      return db.run(sql, ...values);
    },
  };
  return { db: counting, adds };
}

const HITS = 3_000;

/** Each hit has 20 properties, whose values no other hit has. */
function manyValues(day: number) {
  const rows = rowsOf(HITS, { page: 1 });
  for (let i = 0; i < HITS; i++) rows.terms.properties[i] = i;
  const names = Array.from({ length: 20 }, (_, n) => `p${10 + n}`);
  const textOf = (i: number) => JSON.stringify(Object.fromEntries(names.map((name) => [name, `${i} ${name}`])));
  const properties = ['', ...Array.from({ length: HITS - 1 }, (_, i) => textOf(i))];
  return { today: TODAY, texts: ['', '/imported'], properties, days: [day], readRows: () => rows };
}

test('an import adds few texts and sets of properties in one transaction', (t) => {
  const { db: own } = bookOf(t);
  const { db, adds } = countAdds(own, /INSERT INTO (?:term|property_set) /);
  const content = manyValues(YESTERDAY);
  const terms = finish(termsFor(db, 1, content.texts));
  finish(addPropertyTerms(db, 1, content));
  assert.equal(rowsIn(own, 'term'), 1 + 20 + (HITS - 1) * 20);
  const { length } = adds;
  assert.equal([...sealedDays(db, 1, content, terms)].length, 1);
  assert.equal(adds.length, length, 'a day is packed without a transaction');
  const importId = addImport(db, 1, { now: NOW, today: TODAY });
  finish(stageOpen(db, { siteId: 1, importId }, TODAY, { ...content.readRows(), properties: content.properties }));
  assert.equal(rowsIn(own, 'property_set'), HITS - 1);
  assert.ok(Math.max(...adds) < 600, `${Math.max(...adds)} in one transaction`);
});
