import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { startApp } from '../support/helpers.ts';
import { hereOn } from './here.ts';

const DAY = TODAY - 2;

/** A site with two visitors of the day before yesterday, which was added a week ago. */
async function stage(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  app.db.run('UPDATE site SET created_at = created_at - 7 * 86400');
  await append(
    app.db,
    ['DE', 'US'].map((country, visitor) => pageview({ siteId: app.siteId, day: DAY, visitor, country })),
  );
  await app.seal();
  return app;
}

test('changes: the command says what changed figures, by whom and by how much', async (t) => {
  const app = await stage(t);
  await hereOn(app, 'exclude', 'example.com', '--from', date(DAY), '--filter', 'country.is=DE', '--note', 'bots');
  const { printed, explained } = await hereOn(app, 'changes', 'example.com');
  assert.match(explained[0] ?? '', /^ID +AT +BY +REASON +FROM +TO +DAYS +VISITORS +VISITS +PAGEVIEWS +EVENTS +NAME$/);
  assert.match(printed[0] ?? '', /- +exclusion_added +2026-03-08 +2026-03-09 +1 +2>1 +2>1 +2>1 +0>0 +bots$/);
  const other = await hereOn(app, 'changes', 'example.com', '--range', '2026-01-01~2026-01-31');
  assert.deepEqual(other.printed, []);
  await assert.rejects(hereOn(app, 'changes', 'example.com', '--range', 'ever'), /--range/);
});

test('query --as-of: the command answers as the API does, and names the flag of a wrong day', async (t) => {
  const app = await stage(t);
  const late = (await hereOn(app, 'query', 'example.com', '--as-of', date(DAY), '--format', 'json')).printed.join('');
  const { body } = await app.owner.ask('POST', '/sites/example.com/query', { as_of: date(DAY) });
  assert.deepEqual(JSON.parse(late), body.data);
  await assert.rejects(hereOn(app, 'query', 'example.com', '--as-of', date(TODAY)), /--as-of: Must be a day before/);
});
