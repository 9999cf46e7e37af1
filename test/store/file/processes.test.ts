import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../../src/lib/errors.ts';
import { type Opened, openStore } from '../../../src/store/file/open-file.ts';
import { folder } from '../../support/helpers.ts';
import { add, emails, fileIn, opened } from '../files.ts';

test('two may write beside each other when neither serves, or one does', (t) => {
  const path = fileIn(t);
  const stores = [opened(t, path), opened(t, path, { serve: true }), opened(t, path)];
  const written = Array.from({ length: 30 }, (_, i) => `user${i}@example.com`);
  for (const [i, email] of written.entries()) add((stores[i % 3] as Opened).db, email);
  for (const { db } of stores) assert.deepEqual(emails(db), written);
});

test('a second server on the file is refused while the first lives, by any of its names', (t) => {
  const path = fileIn(t);
  const [link, away] = [join(dirname(path), 'link.db'), join(folder(t), 'other.db')];
  const first = openStore(path, { serve: true });
  add(first.db, 'ann@example.com');
  symlinkSync(path, link);
  symlinkSync('link.db', join(dirname(path), 'link-to-link.db'));
  symlinkSync(path, away);
  symlinkSync(dirname(path), `${away}-folder`);
  const names = [path, link, join(dirname(path), 'link-to-link.db'), away, join(`${away}-folder`, basename(path))];
  for (const name of names) {
    assert.throws(
      () => openStore(name, { serve: true }),
      (error) => error instanceof Refusal && error.exitCode === 78 && /another server is running/.test(error.message),
      name,
    );
  }
  // Whoever was refused took nothing away from the first.
  add(first.db, 'bob@example.com');
  first.close();
  for (const name of names) {
    const next = openStore(name, { serve: true });
    assert.equal(next.path, path);
    assert.deepEqual(emails(next.db), ['ann@example.com', 'bob@example.com']);
    next.close();
  }
});

test('a link to a file that is not there yet is one of its names from the beginning', (t) => {
  const path = fileIn(t);
  const link = join(folder(t), 'link.db');
  symlinkSync(path, link);
  const first = opened(t, link, { serve: true });
  add(first.db, 'ann@example.com');
  for (const name of [path, link]) {
    assert.throws(() => openStore(name, { serve: true }).close(), /another server is running/, name);
  }
});

/** A process of its own that opens the file, says so, and then does as it is told. */
function startChild(
  t: TestContext,
  path: string,
  options: object,
  work: string,
): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const source = (name: string): string =>
    JSON.stringify(new URL(`../../../src/store/${name}.ts`, import.meta.url).href);
  const code = `
    import { writeSync } from 'node:fs';
    import { openStore } from ${source('file/open-file')};
    import { addUser } from ${source('people/users')};
    const say = (word) => writeSync(1, word + '\\n');
    const add = (db, email) => db.write(() => addUser(db, { email, password: 'x'.repeat(500), now: 0 }).id);
    const path = ${JSON.stringify(path)};
    ${work.replace('OPEN', `openStore(path, ${JSON.stringify(options)})`)}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('a kill in the middle of writing loses nothing that was committed, and frees the file', async (t) => {
  const path = fileIn(t);
  const said: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 120 }), async (enough) => {
      const before = said.length;
      const child = startChild(
        t,
        path,
        { serve: true },
        `
        const { db } = OPEN;
        for (;;) say(add(db, 'user' + process.pid + '-' + Math.random() + '@example.com'));`,
      );
      let printed = '';
      for await (const chunk of child.stdout) {
        printed += chunk;
        if (printed.split('\n').length > enough) child.kill('SIGKILL');
      }
      said.push(...printed.split('\n').slice(0, -1).map(Number));
      assert.ok(said.length >= before + enough);

      const { db, close } = openStore(path, { serve: true });
      const ids = new Set(db.all<{ id: number }>('SELECT id FROM user').map(({ id }) => id));
      const accounts = new Set(db.all<{ id: number }>('SELECT user_id AS id FROM account').map(({ id }) => id));
      const check = db.all('PRAGMA integrity_check');
      close();
      assert.deepEqual(
        said.filter((id) => !ids.has(id)),
        [],
      );
      // One more may have been committed than could be said, in each round.
      assert.ok(ids.size <= said.length + 5);
      assert.deepEqual(accounts, ids, 'a transaction is there whole or not at all');
      assert.deepEqual(check, [{ integrity_check: 'ok' }]);
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

test('several processes may make the same new file at once', async (t) => {
  const path = fileIn(t);
  const children = Array.from({ length: 3 }, (_, i) =>
    startChild(
      t,
      path,
      {},
      `
      process.stdin.once('data', () => {
        const { db, close } = OPEN;
        add(db, 'user${i}@example.com');
        close();
        process.exit(0);
      });
      say('ready');`,
    ),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const child of children) child.stdin?.write('go\n');
  assert.deepEqual(await Promise.all(children.map((child) => once(child, 'exit'))), Array(3).fill([0, null]));
  const { db } = opened(t, path);
  assert.deepEqual(emails(db).sort(), ['user0@example.com', 'user1@example.com', 'user2@example.com']);
  assert.deepEqual(db.all('SELECT name FROM plan ORDER BY id'), [{ name: 'self-hosted' }, { name: 'guest' }]);
});

test('a server of another process holds the file until it is killed', async (t) => {
  const path = fileIn(t);
  const child = startChild(
    t,
    path,
    { serve: true },
    `
    const { db } = OPEN;
    add(db, 'ann@example.com');
    say('serving');
    setInterval(() => {}, 1000);`,
  );
  await once(child.stdout, 'data');
  assert.throws(() => openStore(path, { serve: true }), /another server is running/);
  const beside = openStore(path);
  add(beside.db, 'bob@example.com');
  beside.close();
  child.kill('SIGKILL');
  assert.equal(await text(child.stdout), '');
  const { db } = opened(t, path, { serve: true });
  assert.deepEqual(emails(db), ['ann@example.com', 'bob@example.com']);
});

test('two servers never have one file under two names, and a name that is left over is no hindrance', async (t) => {
  const path = fileIn(t);
  const child = startChild(
    t,
    path,
    { serve: true },
    `
    const { db } = OPEN;
    say('serving');
    setInterval(() => {}, 1000);`,
  );
  await once(child.stdout, 'data');
  linkSync(path, `${path}.other`);
  assert.throws(() => openStore(`${path}.other`, { serve: true }), /has another name \(a hard link\)/);
  child.kill('SIGKILL');
  await once(child, 'exit');
  opened(t, path, { serve: true }).close();
  // A program beside the server, such as one that replicates the file. The refusal names the remedy that lets it stay.
  opened(t, path);
  assert.throws(() => openStore(path, { serve: true }), { message: /Delete that name/, exitCode: 1 });
  rmSync(`${path}.other`);
  opened(t, path, { serve: true });
});
