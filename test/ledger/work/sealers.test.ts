import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listDue } from '../../../src/ledger/open/row-sources.ts';
import { sweep } from '../../../src/ledger/upkeep/sweep.ts';
import type { Steps } from '../../../src/lib/steps.ts';
import { finish } from '../../../src/lib/steps.ts';
import { pageview, TODAY } from '../../collect/stage.ts';
import { share } from '../../support/helpers.ts';
import {
  assertSound,
  bookOf,
  type Computed,
  compute,
  foldSteps,
  NOW,
  rowsIn,
  seal,
  sealLargeSteps,
  sealOnce,
  sweepAll,
  TINY,
  YESTERDAY,
} from '../stage.ts';
import { goOn } from './any-order.ts';

type Doing = 'hit' | 'compute' | 'step' | 'sweep' | 'fold' | 'large';

test('whatever hits, sealers and sweepers do in whichever order, each hit counts once at any moment', async (t) => {
  const doing = fc.record({
    what: fc.constantFrom<Doing[]>(
      'hit',
      'hit',
      'compute',
      'compute',
      'step',
      'step',
      'step',
      'step',
      'sweep',
      'fold',
      'fold',
      'large',
    ),
    who: fc.nat(2),
    day: fc.constantFrom(YESTERDAY, YESTERDAY - 1),
    siteId: fc.constantFrom(1, 2),
  });
  const property = fc.asyncProperty(fc.array(doing, { minLength: 5, maxLength: 40, size: 'max' }), async (some) => {
    const { db, take, counted } = bookOf(t);
    const computed: (Computed & { siteId: number; of: number })[] = [];
    const sealers: (Steps<boolean> | undefined)[] = [];
    let sweeper: Steps | undefined;
    const folders: (Steps<boolean> | undefined)[] = [];
    const taken = { 1: 0, 2: 0 } as Record<number, number>;
    for (const { what, who, day, siteId } of some) {
      if (what === 'hit') {
        await take(pageview({ siteId, day, visitor: who, second: 1_000 * who }));
        taken[siteId] = (taken[siteId] ?? 0) + 1;
      } else if (what === 'compute') {
        computed[who] = { ...compute(db, { siteId, day }), siteId, of: day };
        sealers[who] = undefined;
      } else if (what === 'step') {
        const one = computed[who];
        if (one) sealers[who] ??= seal(db, { siteId: one.siteId, day: one.of }, one, NOW);
        sealers[who]?.next();
      } else if (what === 'fold' || what === 'large') {
        // Each goes on where it was left, also when others were faster.
        folders[who] ??= (what === 'fold' ? foldSteps : sealLargeSteps)(db, { siteId, day }, TINY);
        if (goOn(folders[who])) folders[who] = undefined;
      } else {
        sweeper ??= sweep(db, NOW);
        if (sweeper.next().done) sweeper = undefined;
      }
      for (const site of [1, 2]) {
        const sum = Object.values(counted(site)).reduce((all, n) => all + n, 0);
        assert.equal(sum, taken[site], `site ${site} after ${what}`);
      }
    }
    for (const due of listDue(db, NOW)) {
      if (!sealOnce(db, due)) finish(sealLargeSteps(db, due, TINY));
    }
    sweepAll(db);
    assertSound(db);
    assert.equal(rowsIn(db, 'hit', `day < ${TODAY}`), 0);
    assert.equal(rowsIn(db, 'open_shard', "state <> 'staged'"), 0);
  });
  await fc.assert(property, { numRuns: share(30) });
});
