import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PATH } from '../../src/collectors/messages.ts';
import { composeCollector } from '../../src/compose-collector.ts';
import { readConfig } from '../../src/config.ts';
import { DAY } from '../../src/lib/time.ts';
import { CHROME, GERMAN } from '../collect/stage.ts';
import { folder } from '../support/helpers.ts';

/** 2026-03-10T12:00:00Z */
const NOON = 1_773_144_000;
const TODAY = NOON / DAY - 0.5;
const SALT = 'AB'.repeat(32);

/** A row of the table `site` with the columns that collectors get (src/store/cluster/copied-tables.ts). */
const siteRow = (id: unknown) => [id, 1, 'example.com', 1, '', '', '', 0, 0, '', 'UTC'];

/** What a primary says when all is well; each time with another tag, so that it is taken over. */
const goodAnswer = (n: number) => ({
  ...{ number: 1, name: 'one', now: NOON * 1000, least: 0, isRetiring: false, tag: `tag ${n}` },
  settings: {
    engine: 'clickhouse://127.0.0.1:2/own',
    mirror: {
      site: [siteRow(1)],
      ...{ zone_change: [], former_domain: [], block: [], block_key: [], trusted_day: [[1, TODAY]], division: [] },
      collect_token: [[1, 1, 'CD'.repeat(32), '']],
      salt: [
        [1, TODAY, SALT],
        [1, TODAY + 1, SALT],
      ],
      cluster_server: [['http://127.0.0.1:2/', 0, 0, 'complete', 0]],
      installation: [[1, 'ab'.repeat(16)]],
    },
  },
});
type Answer = ReturnType<typeof goodAnswer>;
type Changed = (answer: Answer) => unknown;

const mirrorWith =
  (more: object): Changed =>
  ({ settings, ...answer }) => ({ ...answer, settings: { ...settings, mirror: { ...settings.mirror, ...more } } });
const engineOf =
  (engine: string): Changed =>
  ({ settings, ...answer }) => ({ ...answer, settings: { ...settings, engine } });

/** A primary that answers what a test wants, and a collector of it, which may be started again. */
async function stage(t: TestContext) {
  let answered: ((answer: ServerResponse) => void) | undefined;
  let n = 0;
  const primary = createServer((incoming, answer) => {
    incoming.resume();
    assert.equal(incoming.url, PATH);
    if (answered) answered(answer);
    else answer.end(JSON.stringify(goodAnswer(n++)));
  });
  await new Promise<void>((resolve) => primary.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    primary.close();
    primary.closeAllConnections();
  });
  const at = folder(t);
  writeFileSync(join(at, 'secret'), 'a-secret-of-a-collector');
  const { port } = primary.address() as AddressInfo;
  const flags = { primary: `http://127.0.0.1:${port}`, 'secret-file': join(at, 'secret'), outbox: join(at, 'out.db') };
  const log: string[] = [];
  const runtime = {
    clock: { now: () => NOON * 1000, tick: () => 0 },
    random: randomBytes,
    log: (line: string, details: object = {}) => log.push(`${line} ${JSON.stringify(details)}`),
  };
  return {
    log,
    answer(next: typeof answered): void {
      answered = next;
    },
    says(changed: Changed): void {
      answered = (answer) => answer.end(JSON.stringify(changed(goodAnswer(n++))));
    },
    async start() {
      const own = await composeCollector(readConfig(flags, {}), runtime, new AbortController().signal);
      assert.ok(own);
      return {
        ...own,
        /** At once, without a last attempt to send. */
        close: own.intake.close,
        view: (path: string) =>
          own.collector.take(
            { site: 'example.com', url: new URL(`https://example.com${path}`) },
            { address: GERMAN, agent: CHROME },
            false,
          ),
      };
    },
  };
}

const ODD: Record<string, Changed> = {
  'a clock that no date has': (answer) => ({ ...answer, now: 1e300 }),
  'a clock before all dates': (answer) => ({ ...answer, now: -1e15 }),
  'a number that no collector has': (answer) => ({ ...answer, number: 9e15 }),
  'a least number that leaves no room': (answer) => ({ ...answer, least: Number.MAX_SAFE_INTEGER }),
  'a tag that no report may have': (answer) => ({ ...answer, tag: 'x'.repeat(301) }),
  'no URL of a cluster': engineOf('rubbish'),
  'a password that is not encoded': engineOf('clickhouse://user:%zz@one/own'),
  'a host that is none': engineOf('clickhouse://a b/own'),
  'an unknown time zone': mirrorWith({ site: [siteRow(1).with(-1, 'Nowhere/Land')] }),
  'a site without a number': mirrorWith({ site: [siteRow('x')] }),
  'a salt that is none': mirrorWith({ salt: [[1, TODAY, 'ZZ']] }),
  'a server without a URL': mirrorWith({ cluster_server: [['one', 0, 0, 'complete', 0]] }),
  'a state that no server has': mirrorWith({ cluster_server: [['http://127.0.0.1:2/', 0, 0, 'odd', 0]] }),
  'a division among no number of shards': mirrorWith({ division: [[TODAY, -1]] }),
  'a hash of a token that is none': mirrorWith({ collect_token: [[1, 1, 'ZZ', '']] }),
  'sites of a token that are no list': mirrorWith({ collect_token: [[1, 1, 'CD'.repeat(32), '1 OR 1']] }),
  'a name of an installation that is none': mirrorWith({ installation: [[1, 'one']] }),
  'no server': mirrorWith({ cluster_server: [] }),
};

for (const [name, changed] of Object.entries(ODD))
  test(`a primary that says what cannot be changes nothing at a collector: ${name}`, async (t) => {
    const { start, says, answer, log } = await stage(t);
    const own = await start();
    await own.view('/before');
    says(changed);
    await own.look();
    own.everyMinute();
    await own.view('/meanwhile');
    assert.match(log.join('\n'), /the primary sent an impossible answer. Collecting with the last known settings/);
    await own.close();

    // Nor is it in the outbox, with which a start goes on while the primary is away.
    answer((response) => response.destroy());
    const again = await start();
    await again.view('/afterwards');
    assert.deepEqual(
      again.db.lists('SELECT site_id, day, hex(bytes) FROM salt ORDER BY day'),
      [TODAY, TODAY + 1].map((day) => [1, day, SALT]),
    );
    await again.close();
  });

test('a primary that answers without end, or that leads elsewhere, is left after a while, and hits are taken', async (t) => {
  const { start, answer, log } = await stage(t);
  const own = await start();
  let sent = 0;
  answer((response) => {
    const more = () => {
      do sent++;
      while (response.write(Buffer.alloc(1 << 20)));
    };
    response.on('drain', more);
    more();
  });
  await own.look();
  // On a busy machine the time that an answer may take is over first. The collector never reads more than its limit.
  assert.match(log.at(-1) ?? '', /the answer has more than 134217728 bytes|aborted due to timeout/);
  assert.ok(sent < 160, `${sent} MB were sent`);
  answer((response) => response.writeHead(307, { location: 'http://127.0.0.1:2/' }).end());
  await own.look();
  assert.match(log.at(-1) ?? '', /answers 307/);
  answer((response) => response.end('['.repeat(5_000_000)));
  await own.look();
  await own.view('/x');
  await own.close();
});

test('a collector that knows its primary starts and takes hits while something else answers there', async (t) => {
  const { start, answer } = await stage(t);
  await (await start()).close();
  answer((response) => response.writeHead(404).end('<h1>Not found</h1>'));
  const again = await start();
  await again.view('/x');
  await again.close();
});
