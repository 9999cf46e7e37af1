import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { PersonPart } from '../../../src/dashboard/account/person.tsx';
import { boot } from '../../../src/dashboard/core/boot.ts';
import { textIn } from '../components.tsx';

test('account: two-factor authentication is said to be on or off', () => {
  for (const [factors, text] of [
    [true, 'Two-factor authentication is on.'],
    [false, 'Two-factor authentication is off.'],
  ] as const) {
    Object.assign(boot, { factors, hasPassword: true });
    assert.ok(textIn(renderToString(<PersonPart />)).includes(text));
  }
});
