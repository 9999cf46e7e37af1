import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { folder } from '../support/helpers.ts';
import { DAYBOOK } from '../support/program.ts';
import { BROWSER, fileOf } from './stage.ts';

const STRACE = '/usr/bin/strace';
const HITS = 100;

test('each hit is synced to the disk before its answer leaves', {
  skip: !existsSync(STRACE) && 'it needs strace',
}, async (t) => {
  const { path } = fileOf(t);
  const trace = join(folder(t), 'trace');
  // -D keeps the server our own child; -y names the file behind each number.
  const watched = [
    '-D',
    '-f',
    '-y',
    '-s',
    '40',
    '-o',
    trace,
    '-e',
    'trace=fsync,fdatasync,write,writev,sendto,sendmsg',
  ];
  const args = [process.execPath, ...DAYBOOK, 'serve', '--port', '0', '--flood', '0', '--db', path];
  const server = spawn(STRACE, [...watched, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: {} });
  t.after(() => server.kill('SIGKILL'));
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const { port } = new URL(line.replace('listening on ', ''));

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  for (let n = 0; n < HITS; n++) {
    const sending = request({ agent, port, method: 'POST', path: '/day', headers: BROWSER });
    sending.end(JSON.stringify({ site: 'site1.example', url: `https://site1.example/${n}` }));
    const [answer] = await once(sending, 'response');
    assert.equal(answer.statusCode, 202);
    await once(answer.resume(), 'end');
  }
  server.kill('SIGTERM');
  assert.deepEqual(await once(server, 'exit'), [0, null]);

  // While another thread calls too, a call is written in two lines, and only the first one names the file.
  const begun = new RegExp(`f(?:data)?sync\\(\\d+<${realpathSync(path)}-wal>( <unfinished|\\) += 0)`);
  const waiting = new Set<string>();
  let answers = 0;
  let syncs = 0;
  for (const call of readFileSync(trace, 'utf8').split('\n')) {
    const [thread = ''] = call.split(' ', 1);
    const [sync, end] = begun.exec(call) ?? [];
    if (sync && end?.includes('unfinished')) waiting.add(thread);
    else if (sync || (/sync resumed>.* = 0$/.test(call) && waiting.delete(thread))) syncs++;
    if (!/"HTTP\/1\.1 202/.test(call)) continue;
    answers++;
    assert.ok(syncs > 0, `answer ${answers} was sent before its hit was synced`);
    syncs = 0;
  }
  assert.equal(answers, HITS);
  const { db, close } = openStore(path);
  assert.deepEqual(db.one('SELECT count(*) AS n FROM hit'), { n: HITS });
  close();
});
