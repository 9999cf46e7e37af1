import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DayVisits, Visit } from '../../../src/engine/activity.ts';
import { writeTable } from '../../../src/exchange/products/plausible-export.ts';
import { VISIT_TEXT_FIELDS } from '../../../src/stats/dimensions.ts';

const NO_TEXTS = Object.fromEntries(VISIT_TEXT_FIELDS.map((name) => [name, ''])) as Record<
  (typeof VISIT_TEXT_FIELDS)[number],
  string
>;

const viewed = (visitor: number, page: string): Visit => ({
  ...NO_TEXTS,
  visitor,
  seconds: 3,
  hits: [
    {
      second: 5,
      page,
      hostname: '',
      event: '',
      label: '',
      properties: '',
      revenue: '',
      engaged: 0,
      scroll: undefined,
      vitals: 0,
    },
  ],
  excluded: false,
});

/** A cluster gives a large day in portions, each with other visitors (src/cluster/query/days.ts). */
async function* portions(): AsyncGenerator<DayVisits> {
  yield { day: 20_000, visits: [viewed(1, '/a'), viewed(1, '/a')] };
  yield { day: 20_000, visits: [viewed(2, '/a'), viewed(3, '/b')] };
  yield { day: 20_001, visits: [viewed(1, '/a')] };
}

test('the portions of a large day are one row in the zip of Plausible', async () => {
  const write = async (name: string) => {
    let text = '';
    for await (const chunk of writeTable(name, portions(), 'x.example')) text += chunk;
    return text;
  };
  assert.equal(
    await write('visitors'),
    'date,visitors,visits,visit_duration,bounces,pageviews\n2024-10-04,3,4,12,4,4\n2024-10-05,1,1,3,1,1\n',
  );
  assert.equal(
    await write('pages'),
    'date,page,hostname,visits,visitors,pageviews\n2024-10-04,/a,x.example,3,2,3\n2024-10-04,/b,x.example,1,1,1\n2024-10-05,/a,x.example,1,1,1\n',
  );
});
