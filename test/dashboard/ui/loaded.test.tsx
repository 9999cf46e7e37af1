import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { ApiError, type Loaded } from '../../../src/dashboard/core/api.ts';
import { Answer } from '../../../src/dashboard/ui/loaded.tsx';
import { Notices } from '../../../src/dashboard/ui/notices.tsx';
import { loaded, textIn } from '../components.tsx';

type Data = { word: string; notices?: string[] };

const html = (of: Loaded<Data>): string => renderToString(<Answer of={of}>{({ word }) => <b>{word}</b>}</Answer>);

test('an answer is shown below its notices, and a stale one says that it is', () => {
  assert.equal(textIn(html(loaded({ word: 'Data' }))), 'Data');
  assert.equal(textIn(html(loaded({ word: 'Data', notices: ['One.', 'Two.'] }))), 'One. Two. Data');
  assert.match(html({ ...loaded({ word: 'Data' }), isStale: true }), /aria-busy="true".*Data/);
});

test('before there is an answer there is a skeleton, and in place of one its error', () => {
  const nothing = { data: undefined, error: undefined, isStale: true, reload() {} };
  assert.match(html(nothing), /class="skeleton"/);
  assert.equal(textIn(html(nothing)), '');
  const failed = { ...nothing, error: new ApiError(503, { message: 'The question took too long.' }) };
  assert.equal(textIn(html(failed)), 'The question took too long. Try again');
  assert.match(html(failed), /role="alert"/);
});

test('an answer of a server that cannot be reached is only called missing, because the frame says why', () => {
  for (const error of [new ApiError(0, { code: 'offline' }), new ApiError(502, { code: 'not_json', message: 'No.' })]) {
    const failed = html({ data: undefined, error, isStale: false, reload() {} });
    assert.equal(textIn(failed), 'Not loaded');
    assert.doesNotMatch(failed, /role="alert"/);
  }
});

test('what several answers leave out is said once', () => {
  const of = [undefined, { notices: ['One.', 'Two.'] }, { visitors: 1 }, { notices: ['Two.'] }];
  assert.equal(textIn(renderToString(<Notices of={of} />)), 'One. Two.');
  assert.equal(renderToString(<Notices of={[undefined, {}]} />), '');
});
