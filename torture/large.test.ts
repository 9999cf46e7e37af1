import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { prepare, rowsInShards } from '../bench/open-day/prepare.ts';
import { makeTasks } from '../src/ledger/work/tasks.ts';
import type { Aggregates, HourLists } from '../src/stats/aggregates.ts';
import type { Query } from '../src/stats/query.ts';
import { TODAY } from '../test/collect/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { type Program, program, type Server, until } from '../test/support/program.ts';
import { chance } from '../test/support/random.ts';
import { assertSound } from './book.ts';
import { clientOf } from './clients.ts';
import { bearer, look } from './furnish.ts';
import { scaled } from './scale.ts';

const HITS = scaled(300_000, 6_000_000);
const KILLS = scaled(2, 8);
/** What has the lowest priority takes minutes on a machine that is busy with something else. */
const PATIENCE_MS = scaled(150_000, 900_000);
const FLAGS = ['--keep-backups', '0', '--flood', '0'];

const REPORTS = [
  'overview?range=today',
  'breakdown/pages?range=today',
  'overview?range=today&filters[country]=AH',
  'breakdown/entry_pages?range=today&filters[page]=/page/1',
  'breakdown/event_labels?range=today&event=event 1',
];

/** What is counted of a day, in which its number is not. */
function counted(path: string, day: number): Omit<Aggregates, 'hours'>[] {
  const about = { siteId: 1, range: { from: day, to: day + 1 } };
  const none = { ...about, filters: {} };
  const questions: Query[] = [
    { ...none, report: 'overview' },
    { ...none, report: 'breakdown', breakdown: 'pages', limit: 100 },
    { ...none, report: 'breakdown', breakdown: 'referrers', limit: 100 },
    { ...about, report: 'breakdown', breakdown: 'exit_pages', limit: 100, filters: { page: { is: ['/page/1'] } } },
    { ...about, report: 'overview', filters: { country: { is: ['AH'] }, event: { is: ['event 1'] } } },
    { ...none, report: 'funnel', steps: ['/page/1', '/page/2'].map((value) => ({ type: 'page' as const, value })) },
    { ...none, report: 'hours', timeZone: 'UTC' },
  ];
  return look(path, (db) => {
    const { tasks } = makeTasks(db);
    return questions.map((question) => {
      const { hours, ...others } = tasks.measure(question);
      const figuresOf = ({ day: _, hour, ...lists }: HourLists) => ({
        ...lists,
        hour: hour.map((number) => number - day * 24),
      });
      return { ...others, hours: hours.map(figuresOf) };
    });
  });
}

const isSealed = (path: string): boolean =>
  look(path, (db) => db.one("SELECT 1 FROM sealed_day WHERE state = 'shown'") !== undefined);

/** All reports, as they are answered. */
async function answers({ port }: Server, token: string, refused: { count: number }): Promise<string[]> {
  const client = clientOf(port);
  const texts: string[] = [];
  for (const report of REPORTS) {
    for (let text: string | undefined; text === undefined; ) {
      const path = encodeURI(`/api/v1/sites/1/stats/${report}`);
      const reply = await client.ask('GET', path, { headers: bearer(token) });
      if (reply.status === 200) {
        text = reply.text;
        texts.push(text);
        continue;
      }
      // Until most hits are in parts, and on a busy machine, where a question that was stopped leaves what it has read.
      assert.equal(reply.status, 503, `${reply.text} for ${report}`);
      refused.count++;
      const seconds = Number(reply.headers['retry-after']);
      assert.ok(seconds > 0, `Retry-After ${reply.headers['retry-after']}`);
      await pause(seconds * 1_000);
    }
  }
  client.close();
  return texts;
}

/** Starts a server and kills it, again and again, at some moment of what it does by itself. */
async function kill(t: TestContext, { serve }: Program, look: (server: Server) => Promise<void>): Promise<void> {
  const random = chance(t);
  for (let round = 0; round < KILLS; round++) {
    const server = await serve(FLAGS);
    if (round % 2 === 1) await look(server);
    await pause(random() * scaled(1_500, 6_000));
    server.kill('SIGKILL');
    await server.ended;
  }
}

test('D2 killed while it puts a day of many hits into parts or seals it, the next start answers as if these were rows', async (t) => {
  const daybook = program(t);
  const { db: path, serve } = daybook;
  const token = await furnish(path);
  prepare(path, [{ day: TODAY, seconds: 43_200, hits: HITS, visitors: HITS / 10 }]);
  const wanted = counted(path, TODAY);
  const refused = { count: 0 };

  let texts: string[] | undefined;
  const compare = async (server: Server): Promise<void> => {
    const found = await answers(server, token, refused);
    texts ??= found;
    assert.deepEqual(found, texts);
  };
  await kill(t, daybook, compare);
  assert.deepEqual(counted(path, TODAY), wanted);
  const folding = await serve(FLAGS);
  await compare(folding);
  await until('what came is in parts', () => rowsInShards(path) > HITS / 2, PATIENCE_MS);
  await compare(folding);
  assert.equal(await folding.stop(), 0, folding.stderr.join('\n'));
  assert.deepEqual(counted(path, TODAY), wanted);

  const file = new Database(path);
  for (const table of ['hit', 'open_shard', 'day_term']) file.exec(`UPDATE ${table} SET day = day - 1`);
  file.close();
  await kill(t, daybook, async () => {});
  const sealing = await serve(FLAGS);
  await until('the day is sealed', () => isSealed(path), PATIENCE_MS);
  assert.equal(await sealing.stop(), 0, sealing.stderr.join('\n'));
  assert.deepEqual(counted(path, TODAY - 1), wanted);
  assertSound(path);
  t.diagnostic(`${HITS} hits, ${refused.count} answers came at a second try`);
});
