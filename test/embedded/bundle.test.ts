import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundle } from '../../src/embedded/bundle.ts';
import { loadThreadCode } from '../../src/embedded/thread.ts';
import { textsIn } from '../../src/lang/translations.ts';

test('browsers get nothing of the server but its types, the tables of dimensions and figures, what src/lib computes and the texts of one language', async () => {
  const { sources } = await bundle();
  const ours =
    /^src\/(dashboard|lib|lang)\/|^src\/stats\/(dimensions|dimensions-off|left-out|metrics|properties|revenue|table-keys|unusual)\.ts$|^style:later\.css$/;
  const others = /^node_modules\/(country-flag-icons|preact|d3-[a-z-]+|internmap)\//;
  assert.deepEqual(
    sources.filter((path) => path.startsWith('src/lang/codes') || path === 'src/lang/sentences.ts'),
    [],
  );
  assert.ok(sources.includes('src/dashboard/main.tsx') && sources.includes('src/lib/percent.ts'));
  assert.deepEqual(
    sources.filter((path) => !ours.test(path) && !others.test(path)),
    [],
  );
});

test('scripts do without what the oldest browsers do not have', async () => {
  const { files } = await bundle();
  for (const [name, bytes] of files) assert.doesNotMatch(Buffer.from(bytes).toString(), /withResolvers/, name);
});

test('threads get no translations, because each thread reads all of its code at its start', async () => {
  const code = await loadThreadCode();
  const translated = String(textsIn('codes', 'de').not_found);
  assert.ok(translated.length > 10);
  assert.ok(!code.includes(translated));
});
