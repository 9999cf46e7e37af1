import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PAGE, reasonOf, sendPieces, stage } from './sending.ts';

test('a message without a type is read as text, however it is cut into pieces', async (t) => {
  const staged = await stage(t);
  const bytes = Buffer.from(JSON.stringify({ ...PAGE, event: 'größe 😀' }));
  assert.equal(reasonOf(await sendPieces(staged, Readable.from([bytes]))), null);
  assert.equal(reasonOf(await sendPieces(staged, Readable.from([...bytes].map((byte) => Buffer.from([byte]))))), null);
  assert.deepEqual(
    (await staged.held.hits()).map(({ event }) => event),
    ['größe 😀', 'größe 😀'],
  );
});

test('a message that is malformed is refused with the name of what is wrong, and not stored', async (t) => {
  const { send, held } = await stage(t);
  const { site, url } = PAGE;
  const malformed: [message: unknown, ...fields: string[]][] = [
    [{ url }, 'site'],
    [{ site }, 'url'],
    [{}, 'site', 'url'],
    [{ site: 7, url }, 'site'],
    [{ site: null, url }, 'site'],
    [{ site, url: '/relative' }, 'url'],
    [{ site, url: '' }, 'url'],
    [{ site, url: 'example.com/' }, 'url'],
    [{ site, url: 'https://' }, 'url'],
    [{ site, url: 'ftp://example.com/' }, 'url'],
    [{ site, url: 'javascript:alert(1)' }, 'url'],
    [{ site, url: ['https://example.com/'] }, 'url'],
    [{ ...PAGE, referrer: 7 }, 'referrer'],
    [{ ...PAGE, referrer: null }, 'referrer'],
    [{ ...PAGE, event: '' }, 'event'],
    [{ ...PAGE, event: true }, 'event'],
    [{ ...PAGE, event: '\ud83d' }, 'event'],
    [{ ...PAGE, visitor: 'me' }, 'visitor'],
    [{ ...PAGE, toString: 1 }, 'toString'],
    [`{"site":"${site}","url":"${url}","__proto__":1}`, '__proto__'],
    [{ ...PAGE, engaged: '1000' }, 'engaged'],
    [{ ...PAGE, engaged: null }, 'engaged'],
    [{ ...PAGE, engaged: -1 }, 'engaged'],
    [`{"site":"${site}","url":"${url}","engaged":1e999}`, 'engaged'],
    [{ ...PAGE, engaged: 1000, event: 'x' }, 'event'],
    [{ engaged: 1000 }, 'site', 'url'],
    [[], 'body'],
    [[PAGE], 'body'],
    ['', 'body'],
    ['null', 'body'],
    ['"text"', 'body'],
    ['7', 'body'],
    ['{"site":', 'body'],
    [`${JSON.stringify(PAGE)}x`, 'body'],
    ['site=example.com', 'body'],
  ];
  for (const [message, ...fields] of malformed) {
    const { status, body } = await send(message);
    assert.deepEqual([status, body.error?.code], [422, 'invalid_request'], JSON.stringify(message));
    assert.deepEqual(Object.keys(body.error.fields), fields, JSON.stringify(message));
  }
  for (const type of ['application/x-www-form-urlencoded', 'text/html', 'text/plainer', 'multipart/form-data', '']) {
    const { status, body } = await send(PAGE, { headers: { 'content-type': type } });
    assert.deepEqual([status, Object.keys(body.error?.fields ?? {})], [422, ['body']], type);
  }
  assert.equal((await held.hits()).length, 0);
});

test('what is just not too long or too odd is taken', async (t) => {
  const { send, held } = await stage(t);
  const names = ['😀'.repeat(120), 'a', ' ', 'a\u0000b', 'ü'.normalize('NFD'), '(other)'];
  for (const event of names) assert.equal(reasonOf(await send({ ...PAGE, event, label: '😀'.repeat(200) })), null);
  for (const label of ['', 'x']) assert.equal(reasonOf(await send({ ...PAGE, event: 'labelled', label })), null);
  for (const referrer of ['', 'nonsense', 'about:blank'])
    assert.equal(reasonOf(await send({ ...PAGE, referrer })), null);
  const stored = await held.hits();
  assert.deepEqual(
    stored.slice(0, names.length).map(({ event, label }) => [event, label]),
    names.map((event) => [event, '😀'.repeat(200)]),
  );
  assert.equal(stored.length, names.length + 5);
});

test('a malformed width is left out, and the hit of a browser is counted', async (t) => {
  const { send, held } = await stage(t);
  const widths = [1300, 0, 575, -1, 12.5, '1300', null, {}, 1e300];
  for (const width of widths) assert.equal(reasonOf(await send({ ...PAGE, width })), null);
  const screens = (await held.hits()).map(({ screen }) => screen);
  assert.deepEqual(screens, ['Laptop', 'Mobile', 'Mobile', '', '', '', '', '', '']);
});

test('texts of events from a browser are cut at whole characters, and a malformed label is left out', async (t) => {
  const { send, held } = await stage(t);
  const texts: [event: string, label: unknown, ...kept: string[]][] = [
    ['😀'.repeat(130), `${'é'.repeat(199)}😀😀`, '😀'.repeat(120), `${'é'.repeat(199)}😀`],
    ['half\ud83d', '\ude00of it', 'half', 'of it'],
    ['x', 3, 'x', '3'],
    ['x', false, 'x', 'false'],
    ...[null, {}, ['a'], '', '\ud83d'].map((label): [string, unknown, ...string[]] => ['x', label, 'x', '']),
  ];
  for (const [event, label] of texts) assert.equal(reasonOf(await send({ ...PAGE, event, label })), null);
  assert.deepEqual(
    (await held.hits()).map(({ event, label }) => [event, label]),
    texts.map(([, , ...kept]) => kept),
  );
});

test('an object in place of the label has the label and the properties, and nothing else of it is taken', async (t) => {
  const { send, held } = await stage(t);
  const labels = [
    { label: 'a', props: { Plan: 'pro', count: 3 } },
    { props: { plan: 'pro' }, event: 'other', url: 'https://example.org/', engaged: 5 },
    { label: { label: 'deep' } },
    ['a', 'b'],
  ];
  for (const label of labels) assert.equal(reasonOf(await send({ ...PAGE, event: 'x', label })), null);
  assert.deepEqual(
    (await held.hits()).map(({ event, label, page, properties }) => [event, label, page, properties]),
    [
      ['x', 'a', '/', '{"count":"3","plan":"pro"}'],
      ['x', '', '/', '{"plan":"pro"}'],
      ['x', '', '/', ''],
      ['x', '', '/', ''],
    ],
  );
});

test('a malformed depth is left out, and the heartbeat of a browser is counted', async (t) => {
  const { send, held } = await stage(t);
  await send(PAGE);
  const depths = [0, 100, 37.5, -1, 100.4, '50', null, {}, 1e300];
  for (const scroll of depths) assert.equal(reasonOf(await send({ ...PAGE, engaged: 0, scroll })), null);
  const told = (await held.hits()).slice(1).map(({ scroll }) => scroll);
  assert.deepEqual(told, [0, 100, 38, ...depths.slice(3).map(() => undefined)]);
});

test('a message of 8 KiB is read and one byte more is not, whether its length is announced or not', async (t) => {
  const { send, held } = await stage(t);
  const padded = (bytes: number): string => JSON.stringify(PAGE).padEnd(bytes);
  const announced = (bytes: number) => ({ headers: { 'content-length': String(bytes) } });
  for (const asking of [{}, announced(8_192)]) assert.equal(reasonOf(await send(padded(8_192), asking)), null);
  // Two bytes a letter.
  const wide = JSON.stringify({ ...PAGE, referrer: `https://x.org/${'ü'.repeat(4_096)}` });
  for (const [body, asking] of [
    [padded(8_193), {}],
    [padded(8_193), announced(8_193)],
    [wide, {}],
    ['x'.repeat(20_000), {}],
  ] as const) {
    const answer = await send(body, asking);
    assert.deepEqual([answer.status, answer.body.error.code], [413, 'payload_too_large']);
  }
  assert.equal((await held.hits()).length, 2);
});

test('a message that does not end is refused as soon as it is too large', async (t) => {
  const endless = new Readable({ read() {} });
  endless.push(Buffer.alloc(8_193, ' '));
  const answer = sendPieces(await stage(t), endless);
  await turn();
  // Too late to make a difference.
  endless.destroy(new Error('gone'));
  assert.equal((await answer).status, 413);
});

test('a message that is cut off is refused', async (t) => {
  const staged = await stage(t);
  const cut = new Readable({ read() {} });
  cut.push(JSON.stringify(PAGE));
  setImmediate(() => cut.destroy(new Error('gone')));
  assert.equal((await sendPieces(staged, cut)).status, 400);
  assert.equal((await staged.held.hits()).length, 0);
});

test('a message that is not UTF-8 is refused', async (t) => {
  const latin = Buffer.from('{"site":"example.com","url":"https://example.com/\xff"}', 'latin1');
  const { status, body } = await sendPieces(await stage(t), Readable.from([latin]));
  assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['body']]);
});
