import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepPath } from '../../src/classify/page.ts';
import { findBlock } from '../../src/collect/blocks.ts';
import { buildSettings } from '../../src/collectors/settings.ts';
import { DAY } from '../../src/lib/time.ts';
import { findRowFault, setMirror } from '../../src/store/cluster/copied-tables.ts';
import { addDivision, decideDivision } from '../../src/store/cluster/divisions.ts';
import { openOutbox } from '../../src/store/cluster/outbox.ts';
import { addBlock, makeAddressHash } from '../../src/store/sites/blocks.ts';
import { findCollectedSite } from '../../src/store/sites/collected-sites.ts';
import { changeDimensionsOff, changePageParameters } from '../../src/store/sites/sites.ts';
import { fileOf } from '../collect/stage.ts';
import { folder } from '../support/helpers.ts';

/** 2026-03-10T20:00:00Z */
const EVENING = 1_773_172_800;

test('settings for collectors: a clock that jumps brings the salts of its new day in the next answer', (t) => {
  const { db } = fileOf(t).open();
  const findSettings = buildSettings({ db, engine: 'clickhouse://x', random: randomBytes });
  const saltedDays = (second: number) => {
    const { settings } = findSettings(second * 1000);
    return [...new Set(settings.mirror.salt.map(([, day]) => Number(day)))];
  };
  for (const days of [0, 2, 5, 3]) {
    const second = EVENING + days * DAY;
    const day = Math.floor(second / DAY);
    const found = saltedDays(second);
    for (const one of [day, day + 1]) assert.ok(found.includes(one), `${days} days later: the salt of ${one - day}`);
  }
});

test('settings for collectors: two questions within half a second read the database once', (t) => {
  const { db } = fileOf(t).open();
  const findSettings = buildSettings({ db, engine: 'clickhouse://x', random: randomBytes });
  const first = findSettings(EVENING * 1000);
  assert.equal(findSettings(EVENING * 1000 + 499), first);
  assert.notEqual(findSettings(EVENING * 1000 + 500), first);
});

test('settings for collectors: a division is in the very next answer', (t) => {
  const { db } = fileOf(t).open();
  const findSettings = buildSettings({ db, engine: 'clickhouse://x', random: randomBytes });
  findSettings(EVENING * 1000);
  db.write(() => addDivision(db, { day: 20_600, shards: 0 }, 2));
  const divisions = () => findSettings(EVENING * 1000).settings.mirror.division;
  assert.deepEqual(divisions(), [
    [0, 2],
    [20_600, 0],
  ]);
  db.write(() => decideDivision(db, { day: 20_601, shards: 3 }));
  assert.deepEqual(divisions().at(-1), [20_601, 3]);
});

test('settings for collectors: an outbox gets the page parameters and the dimensions off of a site, and its collector obeys them', (t) => {
  const { db } = fileOf(t).open();
  const findSettings = buildSettings({ db, engine: 'clickhouse://x', random: randomBytes });
  const outbox = openOutbox(join(folder(t), 'outbox.db'), 'collector-a');
  t.after(() => outbox.close());
  const mirrored = (second: number) => {
    const { mirror } = findSettings(second * 1000).settings;
    assert.deepEqual(
      mirror.site.map((row) => findRowFault('site', row)),
      mirror.site.map(() => undefined),
    );
    return outbox.db.write(() => [...setMirror(outbox.db, mirror).changed]);
  };
  mirrored(EVENING);
  const { id, domain } = db.one<{ id: number; domain: string }>('SELECT id, domain FROM site ORDER BY id') ?? {
    id: 0,
    domain: '',
  };
  db.write(() => {
    changePageParameters(db, id, 't\nf');
    changeDimensionsOff(db, id, 'country');
  });
  assert.deepEqual(mirrored(EVENING + 1), ['site']);
  const site = findCollectedSite(outbox.db, domain);
  assert.deepEqual(site, findCollectedSite(db, domain));
  assert.equal(site?.dimensionsOff, 'country\nregion\ncity');
  assert.equal(keepPath('/topic?t=1&sid=2&f=3', site ?? assert.fail()), '/topic?f=3&t=1');
  assert.match(findRowFault('site', [1, 1, 'a.example', 1, '', 5, '', 0, 'UTC']) ?? '', /^site\.page_parameters is 5/);
});

test('settings for collectors: an outbox gets the blocks of a site, and its collector obeys them', (t) => {
  const { db } = fileOf(t).open();
  const findSettings = buildSettings({ db, engine: 'clickhouse://x', random: randomBytes });
  const outbox = openOutbox(join(folder(t), 'outbox.db'), 'collector-a');
  t.after(() => outbox.close());
  const { id, domain } = db.one<{ id: number; domain: string }>('SELECT id, domain FROM site ORDER BY id') ?? {
    id: 0,
    domain: '',
  };
  db.write(() => {
    const value = makeAddressHash(db, randomBytes, '192.0.2.7');
    addBlock(db, id, { kind: 'address', value, note: 'Office', now: EVENING });
  });
  const { mirror } = findSettings(EVENING * 1000).settings;
  for (const table of ['block', 'block_key'] as const) {
    assert.deepEqual(
      mirror[table].map((row) => findRowFault(table, row)),
      [undefined],
    );
  }
  outbox.db.write(() => setMirror(outbox.db, mirror));
  const { blocks } = findCollectedSite(outbox.db, domain) ?? assert.fail();
  const hit = { country: 'DE', hostname: domain, page: '/', source: '', agent: 'x' };
  assert.equal(blocks && findBlock(blocks, { ...hit, address: '192.0.2.7' }), 1);
  assert.equal(blocks && findBlock(blocks, { ...hit, address: '192.0.2.8' }), undefined);
});
