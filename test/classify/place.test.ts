import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRegion, writeCity, writeRegion } from '../../src/classify/place.ts';

test('a region is written as a code with its country, and a name is none', () => {
  const cases: [country: string, code: unknown, region: string][] = [
    ['DE', 'BE', 'DE-BE'],
    ['DE', 'be', 'DE-BE'],
    ['AT', '9', 'AT-9'],
    ['FR', '75C', 'FR-75C'],
    ['DE', 'DE-BE', 'DE-BE'],
    ['AT', 'DE-BE', ''],
    ['DE', 'Berlin', ''],
    ['DE', '', ''],
    ['DE', undefined, ''],
    ['DE', 9, ''],
    ['', 'BE', ''],
    ['T1', 'BE', ''],
  ];
  for (const [country, code, region] of cases) assert.equal(writeRegion(country, code), region, `${country} ${code}`);
  for (const region of ['DE-BE', 'AT-9', 'FR-75C']) assert.ok(isRegion(region));
  for (const region of ['DE', 'DE-', 'de-be', 'DE-ABCD', ' DE-BE', 'DE-BE\n']) assert.ok(!isRegion(region), region);
});

test('a city has its region or its country in front, and a long name is cut', () => {
  const berlin = { country: 'DE', region: 'DE-BE' };
  assert.equal(writeCity(berlin, ' Berlin\n Mitte '), 'DE-BE Berlin Mitte');
  assert.equal(writeCity({ country: 'DE', region: '' }, 'Berlin'), 'DE Berlin');
  assert.equal(writeCity({ country: '', region: '' }, 'Berlin'), '');
  for (const none of ['', ' ', undefined, 7]) assert.equal(writeCity(berlin, none), '');
  assert.equal(writeCity(berlin, '😀'.repeat(101)), `DE-BE ${'😀'.repeat(100)}`);
  assert.equal(writeCity(berlin, 'a\ud800'), 'DE-BE a\ufffd');
});
