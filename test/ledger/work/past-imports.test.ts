// Imports of a past day beside late hits, compactions, sealings and sweeps, in any order.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { addImport } from '../../../src/catalog/imports.ts';
import { sealedDays, showImport, termsFor } from '../../../src/ledger/upkeep/import.ts';
import { stage } from '../../../src/ledger/upkeep/seal.ts';
import { sweep } from '../../../src/ledger/upkeep/sweep.ts';
import { finish, type Steps } from '../../../src/lib/steps.ts';
import type { Db } from '../../../src/store/db.ts';
import { engineOver, TODAY } from '../../collect/stage.ts';
import { share } from '../../support/helpers.ts';
import { rowsOf } from '../rows.ts';
import {
  addUpMonths,
  assertSound,
  bookOf,
  crowd,
  foldOnce,
  foldSteps,
  NOW,
  rowsIn,
  sealLargeSteps,
  sealOnce,
  sweepAll,
  TINY,
  YESTERDAY,
} from '../stage.ts';
import { countAnew, goOn } from './any-order.ts';

const yesterday = { siteId: 1, day: YESTERDAY };

const contentOf = (count: number, visitor = 1_000) => ({
  today: TODAY,
  texts: ['', '/imported'],
  days: [YESTERDAY],
  readRows: () => rowsOf(count, { visitor }),
});

/** Imports as if the program was killed after the import was shown, and before the sweep. */
function importUnswept(db: Db, content: ReturnType<typeof contentOf>): number {
  const importId = db.write(() => addImport(db, 1, { now: NOW, today: TODAY }));
  const terms = finish(termsFor(db, 1, content.texts));
  const staged = finish(stage(db, 1, sealedDays(db, 1, content, terms), { importId, now: NOW }));
  showImport(db, { siteId: 1, importId, sealed: staged.length, now: NOW }, true);
  return importId;
}

/** A past day that is large and still open, and was then replaced by an import of three hits. */
async function replacedLarge(t: TestContext) {
  const book = bookOf(t);
  await book.take(...crowd(20));
  while (foldOnce(book.db, yesterday, TINY));
  assert.ok(rowsIn(book.db, 'open_shard') > 0);
  await engineOver(book.db, NOW * 1000).imports.add(1, contentOf(3), { replace: true });
  assert.deepEqual(book.counted(), { [YESTERDAY]: 3 });
  return book;
}

test('a past large day that an import has replaced leaves no visitor code', async (t) => {
  const { db } = await replacedLarge(t);
  assert.equal(rowsIn(db, 'hit') + rowsIn(db, 'open_shard') + rowsIn(db, 'open_blob'), 0);
});

test('the shards of a past day that an import has replaced do not come back with a late hit', async (t) => {
  const { db, take, counted } = await replacedLarge(t);
  await take(...crowd(1, { page: '/late' }));
  assert.deepEqual(counted(), { [YESTERDAY]: 4 });
  assert.ok(sealOnce(db, yesterday));
  sweepAll(db);
  assert.deepEqual(counted(), { [YESTERDAY]: 4 });
  assertSound(db);
});

test('slices that an import of a past day has replaced do not come back with a late hit, before they are swept', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5));
  assert.ok(sealOnce(db, yesterday));
  await take(...crowd(1, { page: '/late' }));
  importUnswept(db, contentOf(3));
  assert.deepEqual(counted(), { [YESTERDAY]: 3 });
  await take(...crowd(1, { page: '/later' }));
  assert.deepEqual(counted(), { [YESTERDAY]: 4 });
  assert.ok(sealOnce(db, yesterday));
  sweepAll(db);
  assert.deepEqual(counted(), { [YESTERDAY]: 4 });
});

test('hits that an import has replaced do not come back by a compaction that began before it', async (t) => {
  const { db, take, counted } = bookOf(t);
  const { imports } = engineOver(db, NOW * 1000);
  await take(...crowd(20));
  const steps = foldSteps(db, yesterday, TINY);
  assert.ok(!goOn(steps));
  await imports.remove(1, await imports.add(1, contentOf(3), { replace: true }));
  while (!goOn(steps));
  assert.deepEqual(counted(), {});
  await take(...crowd(2));
  assert.deepEqual(counted(), { [YESTERDAY]: 2 });
});

test('hits that an import has replaced do not come back if it is removed before the sweep', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(20));
  const importId = importUnswept(db, contentOf(3));
  await take(...crowd(1, { page: '/late' }));
  await engineOver(db, NOW * 1000).imports.remove(1, importId);
  assert.deepEqual(counted(), { [YESTERDAY]: 1 });
});

test('an import is done even if what it replaced cannot be deleted yet', async (t) => {
  const { db, take, counted } = bookOf(t);
  const { imports } = engineOver(db, NOW * 1000);
  await take(...crowd(20));
  db.run("CREATE TEMP TRIGGER full BEFORE DELETE ON main.hit BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
  const importId = await imports.add(1, contentOf(3), { replace: true });
  await assert.rejects(imports.add(1, contentOf(3), { replace: false }), /another import or the server/);
  await assert.rejects(imports.remove(1, importId), /the disk is full/);
  assert.deepEqual(counted(), { [YESTERDAY]: 3 });
  db.run('DROP TRIGGER full');
  sweepAll(db);
  assert.deepEqual([rowsIn(db, 'hit'), counted()], [0, { [YESTERDAY]: 3 }]);
});

/** How many hits of a past day count. An import of the day is sealed at once, and replaces what came before it. */
function modelDay() {
  let live = 0;
  let imported: { id: number; count: number } | undefined;
  let isOpen = false;
  return {
    visible: () => live + (imported?.count ?? 0),
    isOpen: () => isOpen,
    hit(count: number): void {
      live += count;
      isOpen = true;
    },
    seal(): void {
      isOpen = false;
    },
    /** Hits that were replaced never come back, not even if the import is removed before the sweep. */
    add(id: number, count: number): void {
      live = 0;
      imported = { id, count };
      isOpen = false;
    },
    remove(): number | undefined {
      const { id } = imported ?? {};
      imported = undefined;
      return id;
    },
  };
}

const DOING = [
  ...['hit', 'hit', 'fold', 'begin fold', 'begin sweep', 'go on', 'go on', 'seal', 'sweep'],
  ...['add', 'add unswept', 'remove'],
] as const;

test('whatever imports of a past day, late hits, compactions, sealings and sweeps come, each hit counts once', async (t) => {
  const doing = fc.record({ what: fc.constantFrom(...DOING), count: fc.integer({ min: 1, max: 6 }), is: fc.boolean() });
  const property = fc.asyncProperty(fc.array(doing, { minLength: 20, maxLength: 50, size: 'max' }), async (some) => {
    const { db, path, take, counted } = bookOf(t);
    const { imports } = engineOver(db, NOW * 1000);
    const model = modelDay();
    const running: Steps<unknown>[] = [];
    let visitor = 1_000;
    const next = (count: number) => {
      visitor += count;
      return contentOf(count, visitor);
    };
    const endAll = (): void => {
      for (const steps of running.splice(0)) while (!goOn(steps));
    };
    const does: Record<string, (count: number, is: boolean) => unknown> = {
      async hit(count) {
        await take(...crowd(count, { second: 1_000 * count }));
        model.hit(count);
      },
      fold: () => foldOnce(db, yesterday, TINY),
      'begin fold': () => running.push(foldSteps(db, yesterday, TINY)),
      'begin sweep': () => running.push(sweep(db, NOW)),
      'go on'(count) {
        const place = count % Math.max(running.length, 1);
        const steps = running[place];
        for (let left = count; steps && left > 0; left--) if (goOn(steps)) return running.splice(place, 1);
        return undefined;
      },
      seal(_, isLarge) {
        if (!model.isOpen()) return;
        assert.ok(isLarge ? finish(sealLargeSteps(db, yesterday, TINY)) : sealOnce(db, yesterday));
        model.seal();
      },
      sweep: () => sweepAll(db),
      async add(count, replace) {
        const isRefused = model.visible() > 0 && !replace;
        const adding = imports.add(1, next(count), { replace });
        if (isRefused) await assert.rejects(adding, /another import or the server/);
        else model.add(await adding, count);
      },
      'add unswept': (count) => model.add(importUnswept(db, next(count)), count),
      async remove() {
        const id = model.remove();
        if (id !== undefined) await imports.remove(1, id);
      },
    };
    for (const { what, count, is } of some) {
      await does[what]?.(count, is);
      assert.equal(counted()[YESTERDAY] ?? 0, model.visible(), what);
      assert.equal(countAnew(path, YESTERDAY), model.visible(), `${what}, read anew`);
    }
    endAll();
    if (model.isOpen()) assert.ok(sealOnce(db, yesterday));
    sweepAll(db);
    assert.equal(counted()[YESTERDAY] ?? 0, model.visible());
    addUpMonths(db, NOW);
    assertSound(db);
    assert.equal(rowsIn(db, 'hit') + rowsIn(db, 'open_shard', "state <> 'staged'"), 0);
  });
  await fc.assert(property, { numRuns: share(60) });
});
