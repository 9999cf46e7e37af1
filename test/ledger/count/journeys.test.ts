import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ONLY_ROOT } from '../../../src/stats/journeys.ts';
import { append, engineOver, fileOf, pageview, TODAY } from '../../collect/stage.ts';

test('of many next pages, a thread answers only the first ones and the sum of the rest', async (t) => {
  const { db } = fileOf(t).open();
  const hits = Array.from({ length: 300 }, (_, visitor) => {
    const page = visitor < 60 ? `/often/${visitor % 3}` : visitor < 100 ? '(other)' : `/once/${visitor}`;
    return pageview({ visitor, page, event: '' });
  });
  await append(db, hits);
  const { journeys = [] } = await engineOver(db).queries.measure({
    ...{ report: 'journeys', siteId: 1, range: { from: TODAY, to: TODAY + 1 }, filters: {} },
    ...{ name: 'entry', root: undefined, direction: 'after', steps: 1, limit: 4, followed: ONLY_ROOT },
  });
  const row = (value: string, visits: number) => ({ node: 0, value, visits, ended: visits });
  assert.deepEqual(journeys, [
    row('/often/0', 20),
    row('/often/1', 20),
    row('/often/2', 20),
    row('/once/100', 1),
    row('(other)', 239),
  ]);
});
