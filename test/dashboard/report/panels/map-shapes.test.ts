import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestPart } from '../../../../src/dashboard/report/panels/map-shapes.ts';
import world from '../../../../src/dashboard/report/panels/world.json' with { type: 'json' };

test('the tooltip of a country stands over its largest part', () => {
  assert.deepEqual(largestPart('M1 1l2 0 0 2zM10 20l5 0-2 7z'), { left: 10, top: 20, width: 5, height: 7 });
  const { left, width } = largestPart(world.FR);
  const spain = largestPart(world.ES);
  const middle = left + width / 2;
  assert.ok(middle > spain.left && middle < spain.left + 40, `France in Europe, not at ${middle}`);
});

test('every country has a part that is as large as something', () => {
  for (const [code, path] of Object.entries(world)) assert.ok(largestPart(path).width >= 0, code);
});
