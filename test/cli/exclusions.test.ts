import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { line, started } from './importing.ts';

const FROM = ['--from', date(TODAY - 3)];
const BOTS = [...FROM, '--filter', 'page.like=/wp-*'];

/** Of today and each of three days before, somebody and a bot. */
async function wave(t: Parameters<typeof started>[0]) {
  const made = await started(t);
  const hits = [0, 1, 2, 3].flatMap((back) => [
    line(TODAY - back),
    line(TODAY - back, { visitor: 'bot', url: 'https://example.com/wp-login', country: 'DE' }),
  ]);
  await made.mustBring(hits.join(''));
  const print = (...words: string[]) => made.daybook.print(words);
  return {
    ...made,
    print,
    async exported(): Promise<string> {
      const out = join(made.daybook.folder, 'exported.ndjson');
      await print('export', 'example.com', '--format', 'ndjson', '--out', out);
      return readFileSync(out, 'utf8');
    },
  };
}

test('visits are set aside, listed and put back, and a dry run says by day what would go', async (t) => {
  const { print, daybook, exported } = await wave(t);
  const days = [3, 2, 1, 0].map((back) => `${date(TODAY - back)}: 1 visit, 1 pageview\n`).join('');
  const dry = await print('exclude', 'example.com', ...BOTS, '--dry-run');
  assert.equal(dry, `${days}4 visits of 4 days would be excluded`);
  const none = await daybook.run(['exclusions', 'example.com']);
  assert.deepEqual([none.stdout, none.stderr], ['', 'nothing is excluded from example.com\n']);

  const made = await print('exclude', 'example.com', ...BOTS, '--filter', 'country=de', '--note', 'a wave');
  assert.equal(made, 'exclusion 1: 4 visits of 4 days excluded');
  const filters = '{"page":{"like":["/wp-*"]},"country":{"is":["DE"]}}';
  const listed = await print('exclusions', 'example.com');
  assert.equal(listed.replaceAll(/ +/g, ' '), `1 4 ${date(TODAY - 3)} - ${filters} a wave`);
  const from = date(TODAY - 3);
  assert.deepEqual(JSON.parse(await print('exclusions', 'example.com', '--json')), [
    { id: 1, visits: 4, from, to: '-', filters: JSON.parse(filters), note: 'a wave' },
  ]);
  assert.equal(await print('check'), '3 days verified, 0 differ');

  const hits = (await exported())
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  assert.equal(hits.filter(({ excluded }) => excluded === true).length, 4);
  assert.ok(hits.every(({ url, excluded }) => url.endsWith('/wp-login') === (excluded === true)));

  const removed = await print('include', 'example.com', '1');
  assert.equal(removed, 'exclusion 1 removed: its visits count again');
  assert.equal((await daybook.run(['exclusions', 'example.com'])).stdout, '');
  assert.equal(await print('check'), '3 days verified, 0 differ');
});

test('what stands out of a day is printed as filters, and where nothing does that is said', async (t) => {
  const { daybook, mustBring } = await started(t);
  const people = [0, 7, 14, 21, 28, 35].flatMap((back) => [
    line(TODAY - back),
    line(TODAY - back, { visitor: 'other' }),
  ]);
  const bots = Array.from({ length: 40 }, (_, i) => line(TODAY - 7, { visitor: `bot ${i}`, country: 'AQ' }));
  await mustBring([...people, ...bots].join(''));
  const found = await daybook.print(['suggestions', 'example.com', '--date', date(TODAY - 7)]);
  assert.equal(found, `${date(TODAY - 7)}  {"country":"AQ"}  Suggested exclusion: 40 similar visits (usually 0).`);
  const none = await daybook.run(['suggestions', 'example.com']);
  assert.deepEqual(
    [none.code, none.stdout, none.stderr],
    [0, '', `nothing on ${date(TODAY)} is unusual for example.com\n`],
  );
  const wrong = await daybook.run(['suggestions', 'example.com', '--date', 'monday']);
  assert.deepEqual([wrong.code, /--date: Must be a day such as 2026-01-31/.test(wrong.stderr)], [2, true]);
});

test('a running server answers without them at once, and with them again', async (t) => {
  const { print, serve } = await wave(t);
  const { days } = await serve();
  assert.deepEqual(await days(), { 0: 2, 1: 2, 2: 2, 3: 2 });
  await print('exclude', 'example.com', ...BOTS);
  assert.deepEqual(await days(), { 0: 1, 1: 1, 2: 1, 3: 1 });
  await print('include', 'example.com', '1');
  assert.deepEqual(await days(), { 0: 2, 1: 2, 2: 2, 3: 2 });
});

test('a hit that was exported as set aside is a hit like any other where it is brought in', async (t) => {
  const { print, bring, daybook, exported } = await wave(t);
  await print('exclude', 'example.com', ...BOTS);
  const file = await exported();
  await print('include', 'example.com', '1');
  const { code, stdout } = await bring(file, '--replace');
  assert.deepEqual([code, /^8 hits/.test(stdout)], [0, true], stdout);
  assert.equal((await daybook.run(['exclusions', 'example.com'])).stdout, '');
});

test('what cannot be set aside is said with its flag', async (t) => {
  const { daybook } = await wave(t);
  const wrong: [words: string[], said: RegExp][] = [
    [['--filter', 'page=/a'], /--from DAY is required/],
    [FROM, /--filter FILTER is required/],
    [['--from', 'monday', '--filter', 'page=/a'], /--from: Must be a day such as 2026-01-31/],
    [[...FROM, '--to', date(TODAY - 4), '--filter', 'page=/a'], /--to: Must not be before "from"/],
    [[...FROM, '--filter', 'page'], /--filter takes NAME=VALUE .*not "page"/],
    [[...FROM, '--filter', 'pgae=/a'], /--filter pgae: This is unknown/],
    [[...FROM, '--filter', 'page.near=/a'], /--filter takes NAME=VALUE .* not "page.near=\/a"/],
    [[...FROM, '--filter', 'country=Germany'], /--filter country: Must be two letters/],
    [[...FROM, '--filter', 'goal=5'], /--filter goal: There is no such goal/],
  ];
  for (const [words, said] of wrong) {
    const { code, stderr } = await daybook.run(['exclude', 'example.com', ...words]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, said);
  }
  const { code, stderr } = await daybook.run(['include', 'example.com', '7']);
  assert.deepEqual(
    [code, /has no exclusion 7. To list all, run daybook exclusions example.com/.test(stderr)],
    [1, true],
  );
});
