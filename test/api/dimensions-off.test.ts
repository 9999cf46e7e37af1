import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPTIONAL_DIMENSIONS } from '../../src/stats/dimensions-off.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

test('a manager switches dimensions off, those that name them are off too, and everybody with access reads them', async (t) => {
  const { manager, viewer, stranger, owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}`;
  const change = (who: typeof owner, names: unknown) => who.ask('PATCH', path, { dimensions_off: names });
  assert.deepEqual((await viewer.ask('GET', path)).body.data.dimensions_off, []);
  const changed = dataOf(await change(manager, ['language', 'browser', 'language']), 'PATCH', path);
  assert.deepEqual(changed.dimensions_off, ['browser', 'browser_version', 'language']);
  assert.deepEqual((await viewer.ask('GET', path)).body.data.dimensions_off, changed.dimensions_off);
  assert.deepEqual((await viewer.ask('GET', '/sites')).body.data[0].dimensions_off, changed.dimensions_off);
  assert.equal((await change(viewer, ['os'])).status, 403);
  assert.equal((await change(stranger, ['os'])).status, 404);
  assert.deepEqual((await change(owner, ['os_version'])).body.data.dimensions_off, ['os_version']);
  assert.deepEqual((await change(owner, OPTIONAL_DIMENSIONS)).body.data.dimensions_off, OPTIONAL_DIMENSIONS);
  assert.deepEqual((await change(owner, [])).body.data.dimensions_off, []);
});

test('pages, events, channels and unknown names cannot be switched off, and a refused list changes nothing', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}`;
  await owner.ask('PATCH', path, { dimensions_off: ['language'] });
  const refused: [names: unknown, field: string, why: RegExp][] = [
    [['page'], 'dimensions_off.0', /source, .*country/],
    [['os', 'event'], 'dimensions_off.1', /source/],
    [['channel'], 'dimensions_off.0', /source/],
    [['entry'], 'dimensions_off.0', /source/],
    [['countries'], 'dimensions_off.0', /source/],
    ['country', 'dimensions_off', /list/],
    [Array.from({ length: 100 }, () => 'os'), 'dimensions_off', /at most/],
  ];
  for (const [names, field, why] of refused) {
    const { status, body } = await owner.ask('PATCH', path, { dimensions_off: names, public_live: true });
    assert.equal(status, 422, String(names));
    assert.match(body.error.fields[field], why);
  }
  const { dimensions_off, public_live } = (await owner.ask('GET', path)).body.data;
  assert.deepEqual([dimensions_off, public_live], [['language'], false]);
});
