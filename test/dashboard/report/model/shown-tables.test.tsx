import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Site } from '../../../../src/api/sites.ts';
import { boot } from '../../../../src/dashboard/core/boot.ts';
import type { Scope } from '../../../../src/dashboard/core/scope.ts';
import { listShown } from '../../../../src/dashboard/report/model/shown-tables.ts';
import { DEVICES, PAGES, PLACES, SITES, SOURCES } from '../../../../src/dashboard/report/model/tables.ts';
import { OPTIONAL_DIMENSIONS } from '../../../../src/stats/dimensions-off.ts';
import { SITE } from '../../components.tsx';

const scopeOf = (site: Site | undefined): Scope => ({ kind: 'site', site }) as Scope;
const without = (...names: Site['dimensions_off']) => scopeOf({ ...SITE, dimensions_off: names, places: true });
const idsOf = (of: typeof PAGES, scope: Scope): string[] => listShown(of.tables, scope).map(({ id }) => id);

test('the tab of a dimension that is off is hidden, and all others are shown', () => {
  assert.deepEqual(
    idsOf(DEVICES, without()),
    DEVICES.tables.map(({ id }) => id),
  );
  assert.ok(idsOf(DEVICES, without('os')).includes('browsers'));
  assert.ok(!idsOf(DEVICES, without('os')).includes('operating_systems'));
  assert.deepEqual(idsOf(PLACES, without('country', 'region', 'city')), []);
  assert.deepEqual(idsOf(DEVICES, without(...OPTIONAL_DIMENSIONS)), []);
  assert.deepEqual(idsOf(SOURCES, without(...OPTIONAL_DIMENSIONS)), ['channels']);
  assert.deepEqual(idsOf(PLACES, without()), ['countries', 'regions', 'cities']);
  assert.ok(idsOf(PAGES, without(...OPTIONAL_DIMENSIONS)).includes('pages'));
});

test('regions and cities have tabs only where the site has places on', () => {
  assert.deepEqual(idsOf(PLACES, scopeOf({ ...SITE, places: false })), ['countries']);
  assert.deepEqual(idsOf(PLACES, scopeOf(undefined)), ['countries']);
  assert.deepEqual(idsOf(PLACES, scopeOf({ ...SITE, dimensions_off: ['city'], places: true })), [
    'countries',
    'regions',
  ]);
});

test('while the site is loading and in reports of all sites, all tabs are shown', () => {
  assert.equal(idsOf(DEVICES, scopeOf(undefined)).length, DEVICES.tables.length);
  assert.equal(idsOf(DEVICES, { kind: 'all' } as Scope).length, DEVICES.tables.length);
  assert.deepEqual(idsOf(SITES, { kind: 'all' } as Scope), ['sites']);
});

test('visitors with a share link do not see these tabs either', (t: TestContext) => {
  t.after(() => Object.assign(boot, { share: null }));
  Object.assign(boot, { share: { dimensionsOff: ['country', 'region', 'city'] } });
  assert.deepEqual(idsOf(PLACES, scopeOf(undefined)), []);
});
