import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { recount } from '../src/ledger/upkeep/recount.ts';
import { openStore } from '../src/store/file/open-file.ts';
import { storedPages, TODAY } from '../test/collect/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { DAYBOOK, program } from '../test/support/program.ts';
import { chance } from '../test/support/random.ts';
import { clientOf, pageview } from './clients.ts';
import { fill, isWhole, past } from './furnish.ts';
import { NEEDS, STRACE } from './injection.ts';
import { scaled } from './scale.ts';

const HITS = scaled(200, 800);
const CUTS = scaled(50, 500);
const SECTOR = 512;

/** What was asked of a file since it was last synced: bytes at a place, or a new length. */
type Change = { at: number; bytes: Buffer } | { length: number };
type File = { durable: Buffer; waiting: Change[] };
type Event = { path: string; change: Change } | { path: string; sync: true } | { answer: true };

const textOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');

const WRITE = /^pwrite64\(\d+<([^>]+)>, "([^"]*)", \d+, (\d+)/;
const CUT = /^ftruncate\(\d+<([^>]+)>, (\d+)/;
const SYNC = /^f(?:data)?sync\(\d+<([^>]+)>(\) += 0| <unfinished)/;
const ANSWER = '"\\x48\\x54\\x54\\x50\\x2f\\x31\\x2e\\x31\\x20\\x32\\x30\\x32';

/** What a program did to its files, in order. A sync counts when it is over, all else when it is begun. */
async function* eventsIn(trace: string): AsyncGenerator<Event> {
  const syncing = new Map<string, string>();
  for await (const line of createInterface(createReadStream(trace, 'latin1'))) {
    const thread = line.slice(0, line.indexOf(' '));
    const call = line.slice(thread.length).trimStart();
    const [, written, hex = '', at] = WRITE.exec(call) ?? [];
    const [, cut, length] = CUT.exec(call) ?? [];
    const [, synced, end] = SYNC.exec(call) ?? [];
    if (written) yield { path: textOf(written).toString(), change: { at: Number(at), bytes: textOf(hex) } };
    else if (cut) yield { path: textOf(cut).toString(), change: { length: Number(length) } };
    else if (synced && end?.includes('unfinished')) syncing.set(thread, synced);
    else if (synced) yield { path: textOf(synced).toString(), sync: true };
    else if (/^<\.\.\. f(data)?sync resumed>\) += 0/.test(call)) {
      yield { path: textOf(syncing.get(thread) ?? '').toString(), sync: true };
    } else if (call.includes(ANSWER)) yield { answer: true };
  }
}

function applied(bytes: Buffer, change: Change): Buffer {
  const end = 'length' in change ? change.length : Math.max(bytes.length, change.at + change.bytes.length);
  const next = Buffer.alloc(end);
  bytes.copy(next, 0, 0, end);
  if ('bytes' in change) change.bytes.copy(next, change.at);
  return next;
}

/** Of what was not synced a disk may have kept anything: whole sectors, in any order. */
function afterCut({ durable, waiting }: File, random: () => number): Buffer {
  const part = Math.floor(random() * 3) / 2;
  let bytes = durable;
  for (const change of waiting) {
    if ('length' in change) {
      if (random() < part) bytes = applied(bytes, change);
      continue;
    }
    for (let from = 0; from < change.bytes.length; from += SECTOR) {
      const sector = { at: change.at + from, bytes: change.bytes.subarray(from, from + SECTOR) };
      if (random() < part) bytes = applied(bytes, sector);
    }
  }
  return bytes;
}

test('D5 whatever of the writes that were not synced a power cut takes, what was acknowledged is there', {
  skip: NEEDS,
}, async (t) => {
  const random = chance(t);
  const { folder, db } = program(t);
  await furnish(db, ['example.com']);
  await fill(
    db,
    [1, 2].flatMap((n) => past(1, TODAY - n, 1_000)),
  );
  const path = realpathSync(db);
  const files = new Map<string, File>([[path, { durable: readFileSync(path), waiting: [] }]]);

  const trace = join(folder, 'trace');
  const calls = 'trace=pwrite64,ftruncate,fsync,fdatasync,write,writev,sendto,sendmsg';
  const args = [...DAYBOOK, 'serve', '--port', '0', '--flood', '0', '--keep-backups', '0', '--db', path];
  const flags = ['-D', '-f', '--seccomp-bpf', '-y', '-xx', '-s', '70000', '-o', trace, '-e', calls];
  const server = spawn(STRACE, [...flags, process.execPath, ...args], {
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => server.kill('SIGKILL'));
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const client = clientOf(Number(new URL(line.replace('listening on ', '')).port));
  for (let n = 1; n <= HITS; n++) assert.equal((await pageview(client, 'example.com', `/now/${n}`)).status, 202);
  client.close();
  server.kill('SIGKILL');
  await once(server, 'exit');

  let events = 0;
  for await (const _ of eventsIn(trace)) events++;
  const moments = new Set(Array.from({ length: CUTS }, () => Math.floor(random() * events)));
  const figures = { events, answers: 0, syncs: 0, cuts: 0, more: 0 };
  let at = 0;
  for await (const event of eventsIn(trace)) {
    if ('answer' in event) figures.answers++;
    else {
      const file = files.get(event.path) ?? { durable: Buffer.alloc(0), waiting: [] };
      if (event.path === path || event.path === `${path}-wal`) files.set(event.path, file);
      if ('change' in event) file.waiting.push(event.change);
      else {
        figures.syncs++;
        file.durable = file.waiting.reduce(applied, file.durable);
        file.waiting = [];
      }
    }
    if (!moments.has(at++)) continue;

    const place = join(folder, `cut${at}`);
    mkdirSync(place);
    for (const [name, file] of files) writeFileSync(join(place, basename(name)), afterCut(file, random));
    const store = openStore(join(place, 'daybook.db'), { serve: true });
    const about = `cut ${at} of ${events}`;
    assert.ok(isWhole(store.db), about);
    for (const { day, faults } of recount(store.db)) assert.deepEqual(faults, [], `${about}: day ${day}`);
    const stored = storedPages(store.db, 1);
    for (let n = 1; n <= figures.answers; n++) assert.equal(stored.get(`/now/${n}`), 1, `${about}: hit ${n} is lost`);
    figures.more += [...stored.keys()].filter((page) => page.startsWith('/now/')).length - figures.answers;
    figures.cuts++;
    store.close();
    rmSync(place, { recursive: true });
  }
  assert.equal(figures.answers, HITS);
  t.diagnostic(JSON.stringify(figures));
});
