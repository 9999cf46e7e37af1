import assert from 'node:assert/strict';
import { test } from 'node:test';
import { program, until } from '../support/program.ts';
import { BOUNDED } from './statements.ts';

/** The small limits of the command in this test. A process takes some time and memory to start. */
const LIMITS = ['--seconds', '1', '--memory', '128', '--rows', '1000'];
/** Some more than 1,000 rows of 400 characters, as JSON writes them. */
const LONGEST_OUTPUT = 1_500_000;

test('sql: each hostile statement ends in time, and hits are taken meanwhile', { timeout: 900_000 }, async (t) => {
  const daybook = program(t);
  await daybook.print(['user', 'add', 'you@example.com', '--password-stdin'], { input: 'a password of the owner\n' });
  await daybook.print(['site', 'add', 'you@example.com', 'example.com']);
  const token = await daybook.print(['token', 'add', 'you@example.com', '--name', 't', '--abilities', 'read,write']);
  const { url } = await daybook.serve(['--sql', '--flood', '0', '--rate-limit', '0']);

  async function hit(): Promise<number> {
    const { status } = await fetch(`${url}/api/v1/sites/example.com/hits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify([
        { url: 'https://example.com/', ip: '192.0.2.7', agent: 'Mozilla/5.0 (X11) Firefox/140.0' },
      ]),
    });
    return status;
  }
  assert.equal(await hit(), 202);

  for (const statement of BOUNDED) {
    const about = statement.slice(0, 150);
    const running = daybook.run(['sql', '--format', 'json', ...LIMITS], { input: statement });
    assert.equal(await hit(), 202);
    const { code, stdout, stderr } = await running;
    assert.ok(stdout.length < LONGEST_OUTPUT, `${about}: ${stdout.length}`);
    if (code === 0) assert.equal(JSON.parse(stdout).columns.length > 0, true, about);
    else assert.match(stderr, /^daybook: [^\n]{10,300}\n$/, about);
    // A process that is ended has no code.
    assert.ok(code === 0 || code === 2 || (code === null && /took/.test(stderr)), `${about}: ${code} ${stderr}`);
  }

  let isOver = false;
  const statuses: number[] = [];
  const posting = until(
    'hits are posted',
    async () => {
      statuses.push(await hit());
      return isOver;
    },
    600_000,
  );
  for (const sql of [BOUNDED[0], BOUNDED.find((one) => one.includes('zeroblob(900000) FROM n'))]) {
    const answer = await fetch(`${url}/api/v1/sql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sql }),
    });
    assert.equal(answer.status, 422);
    assert.match(await answer.text(), /the statement (?:took|needs)/);
  }
  isOver = true;
  await posting;
  assert.deepEqual([...new Set(statuses)], [202]);
});
