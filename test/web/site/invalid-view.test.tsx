import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { ApiError } from '../../../src/web/api.ts';
import { InvalidView } from '../../../src/web/site/invalid-view.tsx';
import { textIn, VIEW } from '../components.tsx';

test('what the API refuses is said in words of the page', () => {
  const said = (status: number, fields: Record<string, string>, filters: (typeof VIEW)['filters'] = {}): string => {
    const error = new ApiError(status, { message: 'The request is not valid.', fields });
    return textIn(renderToString(<InvalidView view={{ ...VIEW, filters }} error={error} />));
  };
  assert.match(said(422, { range: 'Must be shorter than two years.' }), / That period is longer than two years\. Show/);
  assert.match(said(422, { range: 'Must be today, 7d, 30d or 12m.' }), / There is no such period\. Show/);
  assert.match(
    said(422, { 'filters[country]': 'Must be two letters.' }),
    / One of the filters does not fit: Must be two/,
  );
  assert.match(said(404, {}, { goal: ['77'] }), / does not exist any more\. Show/);
  assert.match(said(422, {}), / The request is not valid\. Show/);
});
