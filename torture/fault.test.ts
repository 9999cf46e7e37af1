import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { recount } from '../src/ledger/recount.ts';
import { tasksOf } from '../src/ledger/tasks.ts';
import { present } from '../src/stats/reports.ts';
import { RELEASED } from '../src/store/migrations.ts';
import { openStore } from '../src/store/open.ts';
import { addUser } from '../src/store/users.ts';
import { storedPages, TODAY } from '../test/collect/stage.ts';
import { ANN, furnish } from '../test/furnish.ts';
import { DAYBOOK, program } from '../test/program.ts';
import { chance } from '../test/random.ts';
import { rowsOf } from '../test/store/stage.ts';
import { type Client, clientOf, pageview, type Reply } from './clients.ts';
import { bearer, fill, isWhole, look, past } from './furnish.ts';
import { type Fault, failing, NEEDS, runFailing } from './injection.ts';
import { scaled } from './scale.ts';

/** What a disk may say, as SQLite then calls it: full, broken, read-only, busy. */
const FAULTS: [calls: string, error: string][] = [
  ['pwrite64', 'ENOSPC'],
  ['pwrite64', 'EIO'],
  ['pwrite64', 'EROFS'],
  ['fsync,fdatasync', 'EIO'],
  ['pread64', 'EIO'],
  ['ftruncate', 'EIO'],
  ['fcntl', 'EAGAIN'],
];
/** Each call up to this one is made to fail, and after it fewer and fewer. */
const DENSE = scaled(2, 6);
const BOUND = scaled(6, 400);
const next = (nth: number): number => (nth < DENSE ? nth + 1 : nth * 2);
/** In the short form each work meets so many of the faults, of which chance chooses. */
const CHOSEN = scaled(2, 2 * FAULTS.length);

function* chosen(t: TestContext): Generator<Pick<Fault, 'calls' | 'error' | 'forever'>> {
  const random = chance(t);
  const all = FAULTS.flatMap(([calls, error]) => [false, true].map((forever) => ({ calls, error, forever })));
  // A lock that is never given would be waited for, for 5 s each time: once tells as much.
  const some = all.filter(({ calls, forever }) => !(calls === 'fcntl' && forever));
  for (let n = 0; n < CHOSEN && some.length > 0; n++) {
    yield* some.splice(Math.floor(random() * some.length), 1);
  }
}

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

/** The files of a command: its own, the copy that backup makes, and that before the update which a trial adds. */
const TAILS = ['', '-wal', '.out.tmp', '.out', `.before-v${RELEASED.length + 2}.tmp`];

type Kit = {
  argsOf(path: string): string[];
  /** Looks at what is left, and says whether the work is done. */
  finishedIn(path: string): boolean;
};

/** Lets each call of a command fail that works on a copy of a file, and has somebody look at what it left. */
async function runAll(t: TestContext, template: string, { argsOf, finishedIn }: Kit): Promise<void> {
  const out = `${template}.trace`;
  const figures = { runs: 0, faults: 0, refused: 0, done: 0 };
  for (const fault of chosen(t)) {
    for (let nth = 1; nth <= BOUND; nth = next(nth)) {
      const about = `${fault.calls} ${nth}${fault.forever ? '+' : ''} ${fault.error}`;
      const path = `${template}.copy`;
      copyFileSync(template, path);
      const paths = TAILS.map((tail) => path + tail);
      const { code, stderr, injected } = await runFailing(argsOf(path), { ...fault, nth, paths }, out);
      figures.runs++;
      figures.faults += injected;
      if (code !== 0) assert.match(stderr, /^daybook: [^\n]+\n$/, about);
      assert.ok(code === 0 || injected > 0, about);
      assert.ok(look(path, isWhole), about);
      const isDone = finishedIn(path);
      if (code === 0) assert.ok(isDone, about);
      figures[code === 0 ? 'done' : 'refused']++;
      for (const name of readdirSync(dirname(path)))
        if (name.startsWith(basename(path))) rmSync(join(dirname(path), name), { recursive: true });
      if (injected === 0) break;
    }
  }
  t.diagnostic(JSON.stringify(figures));
}

const pageviewsIn = (path: string): unknown =>
  look(path, (db) => {
    for (const { day, faults } of recount(db)) assert.deepEqual(faults, [], `day ${day}`);
    const range = { from: TODAY - 30, to: TODAY + 1 };
    const question = { siteId: 1, range, filters: {}, report: 'overview' } as const;
    return present(question, tasksOf(db).tasks.measure(question));
  });

test('D6 whichever call of the disk fails, seal leaves each day open or sealed', { skip: NEEDS }, async (t) => {
  const { db: path } = program(t);
  await furnish(path, ['example.com']);
  await fill(
    path,
    [1, 2, 3].flatMap((n) => past(1, TODAY - n, 500)),
  );
  const before = pageviewsIn(path);
  await runAll(t, path, {
    argsOf: (left) => [...DAYBOOK, 'seal', '--db', left],
    finishedIn(left) {
      assert.deepEqual(pageviewsIn(left), before);
      return look(
        left,
        (db) => db.one("SELECT count(*) AS n FROM sealed_day WHERE state = 'shown' HAVING n = 3") !== undefined,
      );
    },
  });
});

test('D6 whichever call of the disk fails, backup leaves a whole copy or none', { skip: NEEDS }, async (t) => {
  const { db: path, print } = program(t);
  await furnish(path, ['example.com']);
  await fill(
    path,
    [0, 1, 2, 3].flatMap((n) => past(1, TODAY - n, 500)),
  );
  await print(['seal']);
  const before = { ...rowsOf(path), upkeep: [] };
  await runAll(t, path, {
    argsOf: (left) => [...DAYBOOK, 'backup', `${left}.out`, '--db', left],
    finishedIn(left) {
      assert.deepEqual({ ...rowsOf(left), upkeep: [] }, before);
      assert.ok(!existsSync(`${left}.out.tmp`), 'nothing unfinished is left');
      if (!existsSync(`${left}.out`)) return false;
      assert.deepEqual({ ...rowsOf(`${left}.out`), upkeep: [] }, before);
      return true;
    },
  });
});

test('D6 whichever call of the disk fails, an update leaves the file before or after a step', {
  skip: NEEDS,
}, async (t) => {
  const { db: path } = program(t);
  await furnish(path, ['example.com']);
  await fill(path, past(1, TODAY, 500));
  const { user_version: version = 0 } =
    look(path, (db) => db.one<{ user_version: number }>('PRAGMA user_version')) ?? {};
  const before = rowsOf(path);
  const migrations = [...RELEASED, 'CREATE TABLE one (n INTEGER) STRICT; INSERT INTO one VALUES (1), (2)'];
  const open = JSON.stringify(new URL('../src/store/open.ts', import.meta.url).href);
  await runAll(t, path, {
    argsOf(left) {
      const code = `import { openStore } from ${open};
        try { openStore(${JSON.stringify(left)}, { migrations: ${JSON.stringify(migrations)} }).close(); }
        catch (error) { console.error(\`daybook: \${error.message}\`); process.exitCode = error.exitCode ?? 70; }`;
      return ['--input-type=module', '--eval', code];
    },
    finishedIn(left) {
      const { one, ...rows } = rowsOf(left);
      assert.deepEqual(rows, before);
      const reached = look(left, (db) => db.one<{ user_version: number }>('PRAGMA user_version'))?.user_version;
      assert.equal(reached, one ? version + 1 : version);
      if (one) assert.deepEqual(rowsOf(`${left}.before-v${version + 1}`), before);
      const { db, close } = openStore(left, { migrations });
      assert.deepEqual(db.all('SELECT n FROM one'), [{ n: 1 }, { n: 2 }]);
      close();
      return one !== undefined;
    },
  });
});
