import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { PrivatePaths } from '../../../src/api/private-paths.ts';
import { PrivatePathsPreview } from '../../../src/dashboard/settings/private-paths.tsx';
import { textIn } from '../components.tsx';

const NOTHING: PrivatePaths = {
  from: '2026-02-09T00:00:00Z',
  to: '2026-03-10T23:59:59Z',
  pages: 0,
  changed: 0,
  changes: [],
  targets: [],
};
const said = (more: Partial<PrivatePaths>): string =>
  textIn(renderToString(<PrivatePathsPreview of={{ ...NOTHING, ...more }} />));

test('the preview says how many pages would change, into what, and which goals would wait in vain', () => {
  assert.equal(said({}), 'No pages from the last 30 days to preview.');
  assert.equal(said({ pages: 3 }), 'None of the 3 pages from the last 30 days would change.');
  const examples = ['/users/1', '/users/2', '/users/3'];
  const changes = [{ becomes: '/users/:id', pages: 1200, examples }];
  assert.equal(
    said({ pages: 1300, changed: 1200, changes, targets: [{ value: '/users/9', becomes: '/users/:id' }] }),
    'Pages from the last 30 days that would change: 1,200 of 1,300 /users/:id replaces /users/1, /users/2, /users/3 and 1,197 more A goal or funnel step uses /users/9, which will be stored as /users/:id. Update it, or it will never match.',
  );
});
