import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawingOf as flagOf } from '../../../../src/dashboard/report/panels/flags.ts';
import { drawingOf } from '../../../../src/dashboard/report/panels/logos.ts';

test('a logo is that of whoever registered the host, and of no name within it', () => {
  const google = drawingOf('google.com');
  assert.ok(google);
  for (const host of ['google.co.uk', 'news.google.de', 'Google app']) assert.equal(drawingOf(host), google, host);
  for (const host of ['google.spam.example', 'nobody.example', 'constructor', ''])
    assert.equal(drawingOf(host), undefined, host);
  assert.equal(drawingOf('t.co'), drawingOf('x.com'));
  assert.equal(drawingOf('iOS'), drawingOf('macOS'));
  assert.ok(drawingOf('Firefox') && drawingOf('Safari') && drawingOf('Windows'));
});

test('a flag is that of the country, and of nothing else', () => {
  assert.match(flagOf('DE') ?? '', /^<svg /);
  for (const country of ['', 'ZZ', 'default', 'constructor']) assert.equal(flagOf(country), undefined, country);
});
