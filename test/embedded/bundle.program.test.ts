import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { textsIn } from '../../src/lang/translations.ts';
import { PROGRAM } from '../support/program.ts';

test('the program holds the texts of the dashboard once, packed for browsers', () => {
  const program = readFileSync(PROGRAM, 'utf8');
  const { 'What happened': german = '' } = textsIn('dashboard', 'de') as Record<string, string>;
  assert.equal(german, 'Was ist passiert');
  assert.ok(!program.includes(german));
});
