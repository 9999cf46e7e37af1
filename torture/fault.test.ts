import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../src/store/file/open-file.ts';
import { addUser } from '../src/store/people/users.ts';
import { storedPages } from '../test/collect/stage.ts';
import { ANN, furnish } from '../test/support/furnish.ts';
import { program } from '../test/support/program.ts';
import { type Client, clientOf, pageview, type Reply } from './clients.ts';
import { BOUND, chosen, next } from './faults.ts';
import { bearer, isWhole, look } from './furnish.ts';
import { failing, NEEDS } from './injection.ts';

function assertRefused({ status, headers, text }: Reply, about: string): void {
  assert.equal(status, 503, `${about}: ${status} ${text}`);
  assert.equal(JSON.parse(text).error.code, 'unavailable', about);
  assert.ok(Number(headers['retry-after']) >= 1, about);
}

type Stage = { client: Client; token: string; path: string; n: number };

const PEOPLE = 100;
const emailOf = (n: number): string => `person${n}@example.com`;

/** More people with the password of ann. */
function befriend(path: string): void {
  const { db, close } = openStore(path);
  const { password } = db.one<{ password: string }>('SELECT password FROM user WHERE id = 1') ?? assert.fail();
  db.write(() => {
    for (let n = 0; n < PEOPLE; n++) addUser(db, { email: emailOf(n), password, now: 0 });
  });
  close();
}

/** What a server is asked while its disk fails: does it, and says whether that is in the file afterwards. */
const WORKS: Record<string, (stage: Stage) => Promise<{ replies: Reply[]; isIn: () => boolean | Promise<boolean> }>> = {
  async hits({ client, path, n }) {
    const page = `/page${n}`;
    const replies = [await pageview(client, 'example.com', page)];
    return { replies, isIn: () => look(path, (db) => storedPages(db, 1).get(page) === 1) };
  },
  async signIn({ client, n }) {
    // Nobody tries often, for nobody from anywhere.
    const from = { 'x-forwarded-for': `10.${n >> 8}.${n & 255}.1`, 'sec-fetch-site': 'same-origin' };
    const body = JSON.stringify({ ...ANN, email: emailOf(n % PEOPLE) });
    const headers = { 'content-type': 'application/json', ...from };
    const reply = await client.ask('POST', '/sign-in', { headers, body });
    const cookie = String(reply.headers['set-cookie']?.[0]).split(';')[0] ?? '';
    const isIn = async () => (await client.ask('GET', '/api/v1/account', { headers: { cookie } })).status === 200;
    return { replies: [reply], isIn };
  },
  async settings({ client, token, path, n }) {
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const note = { date: '2026-01-01', text: `note ${n}` };
    const replies = [await client.ask('POST', '/api/v1/sites/1/notes', { headers, body: JSON.stringify(note) })];
    return {
      replies,
      isIn: () => look(path, (db) => db.one('SELECT 1 FROM note WHERE text = ?', note.text) !== undefined),
    };
  },
};

for (const [name, work] of Object.entries(WORKS)) {
  test(`D6 whichever call of the disk fails, ${name} are refused in our shape or done, and go on without a restart`, {
    skip: NEEDS,
  }, async (t) => {
    const { serve, db: path, folder } = program(t);
    const token = await furnish(path, ['example.com']);
    befriend(path);
    const server = await serve([
      '--flood',
      '0',
      '--keep-backups',
      '0',
      '--rate-limit',
      '0',
      '--trusted-proxies',
      '127.0.0.1',
    ]);
    const client = clientOf(server.port);
    const out = join(folder, 'trace');
    const figures = { faults: 0, refused: 0, done: 0 };
    let n = 0;
    const first = await work({ client, token, path, n });
    assert.ok(await first.isIn());
    for (const fault of chosen(t)) {
      for (let nth = 1; nth <= BOUND; nth = next(nth)) {
        const about = `${fault.calls} ${nth}${fault.forever ? '+' : ''} ${fault.error}`;
        n++;
        let outcome: Awaited<ReturnType<typeof work>> | undefined;
        const paths = [path, `${path}-wal`];
        const injected = await failing(server.pid, { ...fault, nth, paths }, out, async () => {
          outcome = await work({ client, token, path, n });
        });
        const { replies, isIn } = outcome ?? assert.fail();
        for (const reply of replies) {
          const isDone = reply.status >= 200 && reply.status < 300;
          if (!isDone) assertRefused(reply, about);
          assert.ok(isDone || injected > 0, about);
          assert.equal(await isIn(), isDone, `${about}: ${reply.status}`);
          figures[isDone ? 'done' : 'refused']++;
        }
        figures.faults += injected;
        // The very next one, with the disk in order again.
        n++;
        const again = await work({ client, token, path, n });
        assert.ok(
          again.replies.every(({ status }) => status >= 200 && status < 300),
          `after ${about}: ${again.replies[0]?.text}`,
        );
        assert.ok(await again.isIn(), `after ${about}`);
        const ready = await client.ask('GET', '/readyz');
        assert.equal(ready.status, 200, `after ${about}`);
        if (injected === 0) break;
      }
    }
    t.diagnostic(JSON.stringify(figures));
    client.close();
    assert.equal(await server.stop(), 0);
    assert.ok(look(path, isWhole));
  });
}
