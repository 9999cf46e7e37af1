import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteProof } from '../../src/cli/prove-forgetting.ts';
import type { Place, SearchedPlace, ServerKind } from '../../src/forgetting/places.ts';
import { coded } from '../../src/lang/coded.ts';
import { writeCoded } from '../../src/lib/http/fault.ts';
import { seconds } from '../../src/lib/time.ts';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { startApp } from '../support/helpers.ts';

const page = { accept: 'text/html' };

test('privacy page: people who are signed in can open it, a stranger only if the operator says so', async (t) => {
  const app = await startApp(t);
  for (const person of [app.owner, app.manager, app.viewer, app.stranger]) {
    const answer = await app.ask('GET', '/privacy', { cookie: await app.signIn(person), headers: page });
    assert.equal(answer.status, 200);
    assert.match(answer.text, /<h1>What this server keeps and forgets<\/h1>/);
  }
  const refused = await app.ask('GET', '/privacy', { headers: page });
  assert.deepEqual([refused.status, refused.headers.get('location')], [303, '/sign-in?next=%2Fprivacy']);
  assert.equal(refused.text, '');

  const open = await startApp(t, { 'privacy-page': 'public' });
  const { status, text, headers } = await open.ask('GET', '/privacy', { headers: page });
  assert.equal(status, 200);
  assert.match(text, /IP addresses and user agents are used only in memory/);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  for (const secret of ['example.com', open.owner.email, open.config.db, '.db']) assert.ok(!text.includes(secret));
  assert.equal((await open.ask('POST', '/privacy')).status, 405);
});

test('privacy page: the results of the last search and of the last proof are shown, good and bad', async (t) => {
  const app = await startApp(t, { 'privacy-page': 'public' });
  const read = async (language = 'en') =>
    (await app.ask('GET', '/privacy', { headers: { ...page, 'accept-language': language } })).text;
  const before = await read();
  assert.match(before, /The server has not searched for salts of past days yet\./);
  assert.match(before, /This proof was not run yet\./);

  const at = seconds(app.clock);
  const place = (name: 'file' | 'backups' | 'wal', bytes: number) =>
    coded('place_searched', { place: [coded(`place_${name}`)], bytes });
  const places = [place('file', 3_000_000), place('backups', 100_000)];
  const note = (fine: boolean, result: ReturnType<typeof coded>) =>
    noteUpkeep(app.db, 'forgetting', { at, fine, words: writeCoded(result) });
  const searched = (place: 'file' | 'memory', found: ('salt' | 'code')[]) => ({
    ...{ kind: 'alone' as const, number: 1, place },
    ...{ bytes: 1_500_000, found },
  });
  note(true, coded('forgotten', { salts: 5, bytes: 3_100_000, places }));
  noteProof(app.db, { isForgotten: true, after: [searched('file', []), searched('memory', [])] }, at);
  const fine = await read();
  assert.match(
    fine,
    /Searched 3\.1 MB for 5 salts of past days, and found none\. Searched: database file \(3\.0 MB\); backups \(0\.1 MB\)\./,
  );
  assert.match(
    fine,
    /no trace of this visitor was found in 3\.0 MB\. Searched: database file \(1\.5 MB\); memory in use \(1\.5 MB\)\./,
  );
  assert.match(fine, /March 10, 2026 at 12:00\sPM UTC/);
  assert.doesNotMatch(fine, /class="error"/);
  assert.match(await read('de'), /3\.1 MB nach 5 Salts vergangener Tage durchsucht/);

  note(false, coded('not_forgotten', { salts: 5, found: 1, bytes: 3_100_000, places: [place('wal', 50_000)] }));
  noteProof(app.db, { isForgotten: false, after: [searched('file', []), searched('memory', ['code'])] }, at);
  const bad = await read();
  assert.match(bad, /<p class="error">Searched .*, and found 1\. Found in: write-ahead log \(0\.1 MB\)\./);
  assert.match(
    bad,
    /<p class="error">A made-up visitor was counted\. When the day was over, traces of this visitor were found in: memory in use \(1\.5 MB\)\./,
  );
});

test('privacy page: on a cluster, the proof names each server by its number, and says what could not be searched', async (t) => {
  const app = await startApp(t, { 'privacy-page': 'public' });
  const read = async (language: string) =>
    (await app.ask('GET', '/privacy', { headers: { ...page, 'accept-language': language } })).text;
  const searched = (kind: ServerKind, place: Place, isUnread = false): SearchedPlace => ({
    ...{ kind, number: kind === 'clickhouse' ? 2 : 1, place, bytes: 1_500, found: [], isUnread },
  });
  const fine = [searched('primary', 'open_days'), searched('collector', 'outbox'), searched('clickhouse', 'tables')];
  noteProof(app.db, { isForgotten: true, after: fine }, seconds(app.clock));
  for (const [language, words] of Object.entries({
    en: 'Searched: primary, copy of open days (1.5 kB); collector 1, outbox (1.5 kB); ClickHouse server 2, tables (1.5 kB).',
    de: 'Durchsucht: Primary, Kopie offener Tage (1.5 kB); Kollektor 1, Outbox (1.5 kB); ClickHouse-Server 2, Tabellen (1.5 kB).',
    fr: 'primaire, copie des jours ouverts (1.5 kB); collecteur 1, file d’envoi (1.5 kB); serveur ClickHouse 2, tables (1.5 kB).',
    es: 'primario, copia de días abiertos (1.5 kB); recolector 1, bandeja de salida (1.5 kB); servidor ClickHouse 2, tablas (1.5 kB).',
  }))
    assert.ok((await read(language)).includes(words), await read(language));

  noteProof(app.db, { isForgotten: true, after: [...fine, searched('clickhouse', 'system_logs', true)] }, 0);
  for (const [language, words] of Object.entries({
    en: 'the result is not complete, because not everything could be read here: ClickHouse server 2, logs of ClickHouse',
    de: 'Das Ergebnis ist aber nicht vollständig',
    fr: 'le résultat n’est pas complet',
    es: 'el resultado no está completo',
  })) {
    const text = await read(language);
    assert.ok(text.includes(words) && text.includes('class="error"'), text);
  }
});
