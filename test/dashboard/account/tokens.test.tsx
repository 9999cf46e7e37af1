import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { Ability } from '../../../src/api/input.ts';
import { AddedToken } from '../../../src/dashboard/account/tokens.tsx';
import { textIn } from '../components.tsx';

const shown = (...abilities: Ability[]): string => {
  const token = { id: 3, name: 'script', abilities, created_at: '2026-03-10T12:00:00Z', last_used_at: null };
  return textIn(renderToString(<AddedToken token={{ ...token, token: '3|dbk_secret' }} />));
};

test('a new token is shown with a command to try it out', () => {
  assert.match(shown('read'), /^Copy this token now\. You cannot see this token again later\. 3\|dbk_secret Copy/);
  assert.ok(
    shown('read').includes(
      "curl -H 'Authorization: Bearer 3|dbk_secret' -H 'Accept: application/json' https://stats.example/api/v1/sites",
    ),
  );
});

test('a token that may not read has no such command', () => {
  assert.doesNotMatch(shown('collect'), /curl/);
});
