import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { furnish } from '../support/furnish.ts';
import { NOON } from '../support/helpers.ts';
import { commandLine, here } from './here.ts';

test('site change says what days take and how many are due, and sealing lets their hits go, not their sums', async (t) => {
  const { db, run, print, folder } = commandLine(t);
  await furnish(db, ['one.example']);
  const lines = Array.from({ length: 5 }, (_, n) =>
    JSON.stringify({ at: `2026-01-0${n + 1}T10:00:00Z`, url: 'https://one.example/', visitor: 'v' }),
  );
  const many = Array.from({ length: 9_000 }, (_, n) => ({
    at: new Date(NOON - 86_400_000 - ((n * 7_919) % 40_000) * 1_000).toISOString(),
    url: `https://one.example/${n}`,
    visitor: `v${n}`,
  }));
  lines.push(...many.map((hit) => JSON.stringify(hit)));
  writeFileSync(join(folder, 'hits.ndjson'), lines.join('\n'));
  await print(['import', 'one.example', 'hits.ndjson', '--format', 'ndjson']);
  const { code, stderr } = await run(['site', 'change', 'one.example', '--keep-days', '30']);
  assert.equal(code, 0);
  const [budget = '', due] = stderr.split('\n');
  const [, daily = 0, month = 0] =
    /^a day has taken (\d+\.\d) MB lately\. So 30 days would take (\d+\.\d) MB$/.exec(budget) ?? [];
  assert.ok(Number(month) > 0 && Math.abs(Number(month) - 30 * Number(daily)) <= 1.5, budget);
  assert.match(
    due ?? '',
    /^5 days are older. The server deletes their hits \(\d+\.\d MB\) tonight. To delete them now, run daybook seal$/,
  );
  await print(['seal']);
  const again = await run(['site', 'change', 'one.example', '--keep-days', '30']);
  assert.deepEqual(again, {
    code: 0,
    stdout: '',
    stderr: `${budget}\nno day is older, so no hits are deleted\n`,
  });
  assert.equal(await print(['check']), '6 days verified, 0 differ');

  for (const [args, said] of [
    [['two.example', '--keep-days', '30'], /there is no site two\.example/],
    [['one.example', '--keep-days=-1'], /--keep-days takes a whole number of days, not "-1"/],
    [['one.example', '--keep-days', 'many'], /--keep-days takes a whole number/],
    [['one.example'], /--domain, --time-zone or --keep-days is required/],
  ] as const) {
    await assert.rejects(here(db, 'site', 'change', ...args), { message: said }, args.join(' '));
  }
});
