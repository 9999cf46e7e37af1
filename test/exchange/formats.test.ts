import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile, told } from './files.ts';

test('a CSV with two columns of one name is refused if one of them would be lost', () => {
  const umami = 'created_at,session_id,url_path,event_type,hostname';
  const row = '2026-01-05 10:00:00,s,/a,1,example.com';
  assert.throws(() => readFile('umami', `${umami},hostname\n${row},other.org\n`), {
    message: 'line 1: hostname: two columns have this name. Leave one of them out',
  });
  assert.equal(readFile('umami', `${umami},page_title,page_title\n${row},A,B\n`).hits.length, 1);
});

test('a CSV that a spreadsheet saved again has its bots and events', () => {
  const analytics = 'added_iso,path,session_id,is_robot,datapoint';
  const [at, other] = ['2026-01-05T10:00:00Z', '2026-01-05T10:01:00Z'];
  const robots = readFile('simpleanalytics', `${analytics}\n${at},/a,s,TRUE,pageview\n${other},/b,s,FALSE,pageview\n`);
  assert.deepEqual([robots.left.length, robots.hits.length], [1, 1]);
  const goatcounter = `2Path,Event,Session,Bot,Date\nsignup,TRUE,s,0,${at}\n/a,FALSE,s,0,${other}\n`;
  assert.deepEqual(
    readFile('goatcounter', goatcounter)
      .hits.map(told)
      .map(({ event, page }) => [event, page]),
    [
      ['signup', '/'],
      [undefined, '/a'],
    ],
  );
});
