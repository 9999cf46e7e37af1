import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';
import type { Answer } from '../support/requests.ts';
import { codeOf, countVisitors, FILE, listFiles, uploading } from './uploading.ts';

test('a wrong file is refused with a sentence that names its line and no path of the server', async (t) => {
  const app = await startApp(t);
  const { known } = await openSite(app);
  const up = uploading(app, known.domain);
  for (const [text, says] of [
    ['hello', /^The format of this file is not known/],
    [`${FILE}{"at":"x"}\n`, /^Line 8: /],
    ['PK\u0003\u0004 no zip at all', /^It cannot be read as a zip/],
    ['\n', /^The format of this file is not known/],
  ] as const) {
    const { state, error, error_code: code } = await up.send(text, { name: '../../etc/passwd\u202e' });
    assert.equal(state, 'failed', text);
    assert.match(error, says);
    assert.ok(!error.includes(dirname(app.config.db)) && !error.includes('upload-'), error);
    assert.ok(['other_text', 'no_known_format'].includes(code.code));
  }
  assert.deepEqual(listFiles(app), []);
  const skipping = await up.send(`${FILE}{"at":"x"}\n`, { skip_unreadable: true });
  assert.equal(skipping.state, 'ready');
  assert.match(skipping.file.sheet.join('\n'), /skipped: 1 \(lines that cannot be read\), first on line 8/);
});

test('uploads: searches of the Search Console are imported, replaced by the owner only, and are no visits', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const { domain } = site.known;
  app.join(app.owner, app.stranger, 'manager');
  const mine = uploading(app, domain);
  const head = 'Date,Query,Clicks,Impressions,CTR,Position\n';
  const file = (clicks: number) =>
    `${head}${date(TODAY - 3)},shoes,${clicks},100,8%,1.25\n${date(TODAY - 1)},hats,1,10,10%,2\n`;
  const ready = await mine.send(file(8), { name: 'searches.csv' });
  assert.equal(ready.state, 'ready');
  assert.deepEqual(ready.file, {
    ...{ format: 'search-console', days: 2, from: date(TODAY - 3), to: date(TODAY - 1), taken_days: 0, taken: [] },
    sheet: [`2 rows of queries, from ${date(TODAY - 3)} to ${date(TODAY - 1)}`],
    sheet_codes: ready.file.sheet_codes,
  });
  const clicks = async () => {
    const { body } = await app.owner.ask('GET', `/sites/${domain}/stats/search?range=7d`);
    return body.data.rows.map(({ value, clicks }: { value: string; clicks: number }) => [value, clicks]);
  };
  assert.deepEqual(await clicks(), [], 'nothing before the confirmation');
  assert.equal((await mine.confirm(ready.id)).status, 200);
  const done = await mine.wait(ready.id, 'done');
  assert.deepEqual([done.state, done.import_id], ['done', null]);
  assert.deepEqual(await clicks(), [
    ['shoes', 8],
    ['hats', 1],
  ]);
  assert.equal(await countVisitors(app, domain), 0);

  const manager = uploading(app, domain, { token: app.stranger.token });
  const again = await manager.send(file(9));
  assert.deepEqual([again.file.taken_days, again.file.taken], [2, [date(TODAY - 3), date(TODAY - 1)]]);
  assert.equal((await manager.confirm(again.id)).status, 422);
  assert.equal((await manager.confirm(again.id, { replace: true })).status, 403);
  assert.equal((await mine.confirm(again.id, { replace: true })).status, 200);
  assert.equal((await mine.wait(again.id, 'done')).state, 'done');
  assert.deepEqual((await clicks())[0], ['shoes', 9]);
  const wrong = await mine.send(`${head}2026-03-01,a,x,1,1%,1\n`);
  assert.deepEqual(
    [wrong.state, codeOf({ body: { error: { message_code: wrong.error_code } } } as Answer)],
    ['failed', 'other_text'],
  );
});
