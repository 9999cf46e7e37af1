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
  assert.equal(said({}), 'There are no pages of the last 30 days to try this with.');
  assert.equal(said({ pages: 3 }), 'Of 3 pages of the last 30 days, none would change.');
  const examples = ['/users/1', '/users/2', '/users/3'];
  const changes = [{ becomes: '/users/:id', pages: 1200, examples }];
  assert.equal(
    said({ pages: 1300, changed: 1200, changes, targets: [{ value: '/users/9', becomes: '/users/:id' }] }),
    'Of 1,300 pages of the last 30 days, 1,200 would change: /users/:id instead of /users/1, /users/2, /users/3 and 1,197 more A goal or step waits for /users/9, which will be kept as /users/:id: change it to that path.',
  );
});
