import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY, formatDay } from '../../src/lib/time.ts';
import { folder, NOON } from '../support/helpers.ts';
import { program } from '../support/program.ts';
import { look, serving } from './browser.ts';

test('installation check: imported hits are no sign that the snippet works, and a hit of the snippet is', async (t) => {
  const stage = await serving(t);
  const file = join(folder(t), 'hits.ndjson');
  const at = `${formatDay(NOON / 1000 - 3 * DAY)}T10:00:00Z`;
  writeFileSync(file, `${JSON.stringify({ at, url: 'https://example.com/', visitor: 'ann' })}\n`);
  const path = stage.db.all<{ file: string }>('PRAGMA database_list')[0]?.file ?? '';
  // In a process of its own, because the clock of a command here would be that of the browser's driver too.
  await program(t).print(['import', 'example.com', file, '--db', path]);

  const page = await stage.signIn(stage.owner, '/sites/example.com/settings/general');
  await page.getByText('Waiting for a hit').waitFor();
  await look(stage, { '/': 1 });
  await page.reload();
  await page.getByText('The snippet works: 1 visitor in the last 30 days.').waitFor();
});
