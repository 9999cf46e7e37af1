import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bundle } from '../../src/assets/bundle.ts';
import { DASHBOARD } from '../../src/lang/dashboard.ts';
import { textsIn } from '../../src/lang/messages.ts';

test('browsers get nothing of the server but its types, the tables of dimensions and figures, what src/lib computes and the texts of one language', async () => {
  const { sources } = await bundle();
  const ours = /^src\/(web|lib|lang)\/|^texts:(de|fr|es)$|^src\/stats\/(dimensions|left-out|metrics)\.ts$/;
  const others = /^node_modules\/(country-flag-icons|preact|uplot)\//;
  assert.ok(sources.includes('src/web/main.tsx') && sources.includes('src/lib/percent.ts'));
  assert.deepEqual(
    sources.filter((path) => !ours.test(path) && !others.test(path)),
    [],
  );
});

test('scripts do without what the oldest browsers do not have', async () => {
  const { files } = await bundle();
  for (const [name, bytes] of files) assert.doesNotMatch(Buffer.from(bytes).toString(), /withResolvers/, name);
});

test('the program holds the texts of the dashboard once, packed for browsers', () => {
  const program = readFileSync('dist/daybook.mjs', 'utf8');
  const { 'What happened': german = '' } = textsIn(DASHBOARD, 'de') as Record<string, string>;
  assert.equal(german, 'Was geschah');
  assert.ok(!program.includes(german));
});
