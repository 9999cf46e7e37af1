import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { PageParameters } from '../../../src/api/page-parameters.ts';
import { PageParametersPreview } from '../../../src/dashboard/settings/page-parameters.tsx';
import { textIn } from '../components.tsx';

const said = (of: PageParameters): string => textIn(renderToString(<PageParametersPreview of={of} />));

test('the preview says as which page a URL is stored, and which goals would never match', () => {
  assert.equal(said({ page: null, targets: [] }), '');
  assert.equal(said({ page: '/?p=1', targets: [] }), 'Stored as /?p=1');
  assert.equal(
    said({ page: '/', targets: [{ value: '/?p=1', becomes: '/' }] }),
    'Stored as / A goal or funnel step uses /?p=1, which will be stored as /. Update it, or it will never match.',
  );
});
