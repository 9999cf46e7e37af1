// Imports of today beside hits, compactions, sealings and sweeps, in any order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sweep } from '../../../src/ledger/upkeep/sweep.ts';
import { finish, type Steps } from '../../../src/lib/steps.ts';
import { engineOver, TODAY } from '../../collect/stage.ts';
import { share } from '../../support/helpers.ts';
import { rowsOf } from '../rows.ts';
import { assertSound, bookOf, crowd, foldOnce, foldSteps, NOW, sealLargeSteps, sealOnce, TINY } from '../stage.ts';
import { countAnew, goOn } from './any-order.ts';

const today = { siteId: 1, day: TODAY };

type Import = { id: number; count: number; isReplacing: boolean; before: number };

/** How many hits of today count. An import that replaces hides what came before it. */
function modelDay() {
  let live = 0;
  let imports: Import[] = [];
  let isSealed = false;
  const visible = (): number => {
    const last = imports.findLastIndex(({ isReplacing }) => isReplacing);
    const own = live - (imports[last]?.before ?? 0);
    return imports.slice(Math.max(last, 0)).reduce((sum, { count }) => sum + count, own);
  };
  return {
    visible,
    isOpen: () => !isSealed,
    hit(count: number): void {
      live += count;
      isSealed = false;
    },
    seal(): void {
      live = visible();
      imports = [];
      isSealed = true;
    },
    add(id: number, count: number, isReplacing: boolean): void {
      imports.push({ id, count, isReplacing, before: live });
    },
    remove: (choice: number): number | undefined => imports.splice(choice % Math.max(imports.length, 1), 1)[0]?.id,
  };
}

const DOING = ['hit', 'hit', 'fold', 'begin fold', 'begin sweep', 'go on', 'go on', 'seal', 'add', 'remove'] as const;

test('whatever imports, hits, compactions, sealings and sweeps come in whichever order, each hit counts once', async (t) => {
  const doing = fc.record({ what: fc.constantFrom(...DOING), count: fc.integer({ min: 1, max: 6 }), is: fc.boolean() });
  const property = fc.asyncProperty(fc.array(doing, { minLength: 20, maxLength: 50, size: 'max' }), async (some) => {
    const { db, path, take, counted } = bookOf(t);
    const { imports } = engineOver(db, NOW * 1000);
    const model = modelDay();
    const running: Steps<unknown>[] = [];
    let visitor = 1_000;
    const does: Record<(typeof DOING)[number], (count: number, is: boolean) => unknown> = {
      async hit(count) {
        await take(...crowd(count, { day: TODAY, second: 1_000 * count }));
        model.hit(count);
      },
      fold: () => foldOnce(db, today, TINY),
      'begin fold': () => running.push(foldSteps(db, today, TINY)),
      'begin sweep': () => running.push(sweep(db, NOW)),
      'go on'(count) {
        const place = count % Math.max(running.length, 1);
        const steps = running[place];
        for (let left = count; steps && left > 0; left--) if (goOn(steps)) return running.splice(place, 1);
        return undefined;
      },
      seal(_, isLarge) {
        if (model.visible() === 0 || !model.isOpen()) return;
        assert.ok(isLarge ? finish(sealLargeSteps(db, today, TINY)) : sealOnce(db, today));
        model.seal();
      },
      async add(count, replace) {
        if (!model.isOpen()) return;
        const content = { today: TODAY, texts: ['', '/i'], days: [TODAY], readRows: () => rowsOf(count, { visitor }) };
        visitor += count;
        const id = await imports.add(1, content, { replace }).catch((error: Error) => {
          assert.match(error.message, /^another import/);
        });
        if (id !== undefined) model.add(id, count, replace);
      },
      async remove(count) {
        const id = model.isOpen() ? model.remove(count) : undefined;
        if (id !== undefined) await imports.remove(1, id);
      },
    };
    for (const { what, count, is } of some) {
      await does[what](count, is);
      assert.equal(counted()[TODAY] ?? 0, model.visible(), what);
      assert.equal(countAnew(path, TODAY), model.visible(), `${what}, read anew`);
    }
    for (const steps of running) while (!goOn(steps));
    assert.equal(counted()[TODAY] ?? 0, model.visible());
    assertSound(db);
  });
  await fc.assert(property, { numRuns: share(30) });
});
