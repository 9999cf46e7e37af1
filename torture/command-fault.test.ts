import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { recount } from '../src/ledger/upkeep/recount.ts';
import { makeTasks } from '../src/ledger/work/tasks.ts';
import { present } from '../src/stats/reports.ts';
import { RELEASED } from '../src/store/file/migrations.ts';
import { openStore } from '../src/store/file/open-file.ts';
import { TODAY } from '../test/collect/stage.ts';
import { rowsOf } from '../test/store/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { DAYBOOK, program } from '../test/support/program.ts';
import { BOUND, chosen, next } from './faults.ts';
import { fill, isWhole, look, past } from './furnish.ts';
import { NEEDS, runFailing } from './injection.ts';

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
    return present(question, makeTasks(db).tasks.measure(question));
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
  const open = JSON.stringify(new URL('../src/store/file/open-file.ts', import.meta.url).href);
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
