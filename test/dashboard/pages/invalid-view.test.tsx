import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../src/dashboard/core/api.ts';
import { InvalidView } from '../../../src/dashboard/pages/invalid-view.tsx';
import { type Coded, coded } from '../../../src/lang/coded.ts';
import { Problem, writeProblemBody } from '../../../src/lib/errors.ts';
import { renderIn, SCOPE, textIn, VIEW } from '../components.tsx';

test('what the API refuses is said in words of the page', () => {
  const said = (status: number, faults: Record<string, Coded>, filters: (typeof VIEW)['filters'] = {}): string => {
    const problem = new Problem(status === 404 ? 'not_found' : 'invalid_request', { fields: faults });
    const error = new ApiError(status, JSON.parse(writeProblemBody(problem)).error);
    return textIn(renderIn({ ...SCOPE, view: { ...VIEW, filters } }, <InvalidView error={error} />));
  };
  assert.match(said(422, { range: coded('range_too_long') }), / This period is longer than two years\. Show/);
  assert.match(said(422, { range: coded('no_range', { words: 'today' }) }), / This period is not valid\. Show/);
  assert.match(said(422, { 'filters[country]': coded('no_country') }), / One of the filters is not valid: Must be two/);
  assert.match(said(404, {}, { goal: ['77'] }), / no longer exists\. Show/);
  assert.match(said(422, {}), / The request is not valid\. Show/);
});
