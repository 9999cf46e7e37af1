import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USUAL_CHOICES } from '../../../../src/dashboard/core/parameters.ts';
import type { View } from '../../../../src/dashboard/core/view.ts';
import { changeForKey } from '../../../../src/dashboard/report/header/shortcuts.ts';

const TODAY = '2026-03-10';

test('keys choose a range, step, and clear filters', () => {
  const view: View = { ...USUAL_CHOICES, filters: {} };
  assert.deepEqual(changeForKey('w', view, TODAY), { range: '7d' });
  assert.deepEqual(changeForKey('W', view, TODAY), { range: '7d' });
  assert.equal(changeForKey('m', view, TODAY), undefined);
  assert.deepEqual(changeForKey('ArrowLeft', view, TODAY), { range: '2026-01-10~2026-02-08' });
  assert.equal(changeForKey('ArrowRight', view, TODAY), undefined);
  assert.equal(changeForKey('Escape', view, TODAY), undefined);
  assert.deepEqual(changeForKey('Escape', { ...view, filters: { page: ['/'] } }, TODAY), { filters: {} });
});
