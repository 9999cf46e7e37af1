import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DASHBOARD } from '../../src/lang/dashboard.ts';
import { textsIn } from '../../src/lang/messages.ts';
import { PROGRAM } from '../support/program.ts';

test('the program holds the texts of the dashboard once, packed for browsers', () => {
  const program = readFileSync(PROGRAM, 'utf8');
  const { 'What happened': german = '' } = textsIn(DASHBOARD, 'de') as Record<string, string>;
  assert.equal(german, 'Was ist passiert');
  assert.ok(!program.includes(german));
});
