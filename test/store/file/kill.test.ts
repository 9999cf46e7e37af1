import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Migration } from '../../../src/store/file/migrations.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { share } from '../../support/helpers.ts';
import { copiesOf, emailsOf, look, OLD_EMAILS, oldFile, tablesOf, versionOf } from '../old-file.ts';

const ROWS = 30_000;

const fill = (table: string): Migration => `
  CREATE TABLE ${table} (n INTEGER, text TEXT) STRICT;
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
  INSERT INTO ${table} SELECT n, 'row ' || n FROM numbers;`;

const SLOW = [fill('one'), fill('two')];

/** Updates a file in a process of its own; says when it begins. */
function updating(t: TestContext, path: string) {
  const code = `
    import { openStore } from ${JSON.stringify(new URL('../../../src/store/file/open-file.ts', import.meta.url).href)};
    process.stdout.write('begins');
    openStore(${JSON.stringify(path)}, { migrations: ${JSON.stringify(SLOW)} }).close();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('a kill at any moment of an update leaves the file before or after a step, never between', async (t) => {
  const whole = oldFile(t);
  const child = updating(t, whole);
  await once(child.stdout, 'data');
  const begun = performance.now();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  const takes = performance.now() - begun;
  assert.equal(versionOf(whole), 3);

  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (part) => {
      const path = oldFile(t);
      const killed = updating(t, path);
      const gone = once(killed, 'exit');
      await once(killed.stdout, 'data');
      await pause(part * takes);
      killed.kill('SIGKILL');
      await gone;

      const version = Number(versionOf(path));
      const expected = ['one', 'two'].slice(0, version - 1);
      assert.deepEqual(
        tablesOf(path).filter((name) => name === 'one' || name === 'two'),
        expected,
      );
      for (const table of expected) assert.deepEqual(look(path, `SELECT count(*) AS n FROM ${table}`), [{ n: ROWS }]);
      if (version > 1) assert.deepEqual(emailsOf(`${path}.before-v2`), OLD_EMAILS);
      if (existsSync(`${path}.before-v2`)) assert.equal(versionOf(`${path}.before-v2`), 1);

      const { db, close } = openStore(path, { serve: true, migrations: SLOW });
      assert.deepEqual(db.one('SELECT (SELECT count(*) FROM one) AS one, (SELECT count(*) FROM two) AS two'), {
        one: ROWS,
        two: ROWS,
      });
      assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
      close();
      assert.equal(versionOf(path), 3);
      assert.deepEqual(emailsOf(path), OLD_EMAILS);
      assert.ok(!copiesOf(path).some((name) => name.includes('tmp')));
    }),
    { numRuns: share(9), endOnFailure: true },
  );
});
