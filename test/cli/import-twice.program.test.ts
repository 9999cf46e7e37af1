import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { TODAY } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { program } from '../support/program.ts';

const HITS = 3_000;

test('the same import of today, started twice at once, counts once, and the other says so', async (t) => {
  const { run, db, folder } = program(t);
  await furnish(db);
  const file = join(folder, 'hits.ndjson');
  const at = new Date(TODAY * 86_400_000).toISOString();
  const line = (n: number) => `${JSON.stringify({ at, url: 'https://example.com/', visitor: `${n}` })}\n`;
  writeFileSync(file, Array.from({ length: HITS }, (_, n) => line(n)).join(''));
  const bring = () => run(['import', 'example.com', file, '--format', 'ndjson']);

  const [first, second] = (await Promise.all([bring(), bring()])).sort((a, b) => (a.code ?? 0) - (b.code ?? 0));
  assert.deepEqual([first?.code, second?.code], [0, 1], `${first?.stderr}${second?.stderr}`);
  assert.match(second?.stderr ?? '', /^daybook: .*Nothing was imported.*--replace/);
  const store = openStore(db);
  t.after(() => store.close());
  const kept = store.db.one<{ n: number }>(
    "SELECT count(*) AS n FROM hit WHERE import_id IN (SELECT id FROM import WHERE state = 'shown')",
  );
  assert.equal(kept?.n, HITS);
});
