import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Place, type SearchedPlace, type ServerKind, searchAll } from '../../src/forgetting/places.ts';
import { assertAble } from '../../src/forgetting/prove.ts';
import { listNeedles, searchPlace, type Trace, type Visitor } from '../../src/forgetting/search.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { folder as makeFolder } from '../support/helpers.ts';

const VISITOR: Visitor = {
  ...{ address: '198.51.100.8', agent: 'Mozilla/5.0 proof-1' },
  ...{ salt: Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7)), code: 2 ** 52 + 12_345 },
};

/** Where each kind of server has each kind of data. */
const ALONE = {
  file: 'daybook.db',
  wal: 'daybook.db-wal',
  backups: 'daybook.db.backups/2026-11-29.db',
  log: 'log',
  memory: 'memory-bytes',
  threads: 'thread-bytes-2',
};
const OUTBOX = { outbox: 'daybook.db.outbox-wal' };
const FILES: Record<ServerKind, Partial<Record<Place, string>>> = {
  alone: ALONE,
  primary: { ...ALONE, ...OUTBOX, open_days: 'daybook.db.open-days-wal' },
  collector: { ...OUTBOX, log: 'log', memory: 'memory-texts' },
  clickhouse: { tables: 'table-activity', system_logs: 'system-query_log' },
};

const noise = (bytes: number): Buffer => Buffer.alloc(bytes, 'ghijklmnopqrstuv');

test('forgetting: the search finds each trace, in each form, in each place', (t) => {
  for (const small of [VISITOR, { ...VISITOR, code: 2 ** 40 + 7 }]) {
    const needles = listNeedles(small);
    assert.deepEqual([...new Set(needles.map(({ trace }) => trace))], ['address', 'agent', 'salt', 'code']);
    for (const [kind, files] of Object.entries(FILES) as [ServerKind, Partial<Record<Place, string>>][]) {
      for (const [place, name] of Object.entries(files)) {
        const folder = makeFolder(t);
        mkdirSync(join(folder, 'daybook.db.backups'));
        for (const other of Object.values(files)) writeFileSync(join(folder, other), noise(100));
        for (const { trace, bytes } of needles) {
          writeFileSync(join(folder, name), Buffer.concat([noise(50), bytes, noise(50)]));
          const found = searchAll([{ kind, number: 3, folder }], needles).filter((one) => one.found.length > 0);
          assert.deepEqual(found, [{ kind, number: 3, place, bytes: 100 + bytes.length, found: [trace] }]);
        }
      }
    }
  }
});

test('forgetting: a place that is never empty and has no file counts as unread', (t) => {
  const folder = makeFolder(t);
  const listUnread = (kind: ServerKind) =>
    searchAll([{ kind, number: 1, folder }], listNeedles(VISITOR))
      .filter(({ isUnread }) => isUnread)
      .map(({ place }) => place);
  assert.deepEqual(listUnread('alone'), ['memory', 'threads']);
  assert.deepEqual(listUnread('primary'), ['memory', 'threads', 'outbox']);
  assert.deepEqual(listUnread('collector'), ['outbox', 'memory']);
  assert.deepEqual(listUnread('clickhouse'), ['tables']);
  writeFileSync(join(folder, ALONE.threads), noise(1));
  assert.deepEqual(listUnread('alone'), ['memory']);
});

test('forgetting: before midnight, the outbox of a collector must have the salt, and the threads must have the code', () => {
  const threads: SearchedPlace = { kind: 'primary', number: 1, place: 'threads', bytes: 9, found: ['salt', 'code'] };
  const outbox: SearchedPlace = { kind: 'collector', number: 1, place: 'outbox', bytes: 9, found: ['salt', 'code'] };
  assertAble([threads]);
  assertAble([threads, outbox]);
  assert.throws(() => assertAble([threads, { ...outbox, found: [] }]), /did not find the salt before midnight/);
  assert.throws(() => assertAble([outbox]), /did not find the code before midnight/);
});

test('forgetting: the search finds what lies across two pieces of a large file', (t) => {
  const path = join(makeFolder(t), 'large');
  const needles = listNeedles(VISITOR);
  const { bytes } = needles.find(({ trace }) => trace === 'agent') as { bytes: Buffer };
  const PIECE = 4 * 1024 * 1024;
  for (const at of [0, PIECE - 1, PIECE - bytes.length + 1, PIECE, 2 * PIECE - 3, 3 * PIECE - bytes.length]) {
    const content = noise(3 * PIECE);
    bytes.copy(content, at);
    writeFileSync(path, content);
    assert.deepEqual(searchPlace('log', [path], needles), { place: 'log', bytes: 3 * PIECE, found: ['agent'] });
  }
});

test('forgetting: the search finds what SQLite stored', (t) => {
  const path = join(makeFolder(t), 'daybook.db');
  const { db, close } = openStore(path);
  const found = (): Trace[] => searchPlace('file', [path], listNeedles({ ...VISITOR, code })).found;
  let code = 0;
  db.run('CREATE TABLE planted (code INTEGER, salt BLOB, words TEXT)');
  for (code of [2 ** 40 + 7, 2 ** 47 + 7, 2 ** 53 - 9]) {
    db.run('DELETE FROM planted');
    db.emptyWal();
    assert.deepEqual(found(), []);
    db.run('INSERT INTO planted VALUES (?, ?, ?)', code, VISITOR.salt, `${VISITOR.address} ${VISITOR.agent}`);
    db.emptyWal();
    assert.deepEqual(found(), ['address', 'agent', 'salt', 'code'], String(code));
  }
  close();
});
