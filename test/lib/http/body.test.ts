import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isForm, readBody, readObject } from '../../../src/lib/http/input.ts';
import { anyText } from '../../support/text.ts';
import { arriving, problemOf } from './bodies.ts';
import { fieldsOf } from './problems.ts';

test('a body of exactly the limit is read, whole or in pieces', async () => {
  assert.equal(await readBody(arriving(['12345', '67890'], { 'Content-Length': '10' }), 10), '1234567890');
  assert.equal(await readBody(arriving(['12345', '67890']), 10), '1234567890');
  assert.equal(await readBody(arriving(['12345', '', '67890']), 10), '1234567890');
  assert.equal(await readBody(new Request('http://daybook.invalid/', { method: 'POST' }), 10), '');
  // Bytes are counted, not characters: each of these has four.
  assert.equal(await readBody(arriving(['😀😀']), 8), '😀😀');
  assert.equal((await problemOf(readBody(arriving(['😀😀']), 7))).code, 'payload_too_large');
});

test('a body that says it is too large is refused before a byte of it is read', async () => {
  let pulled = 0;
  const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
  const headers = { 'Content-Length': '11' };
  const request = new Request('http://daybook.invalid/', { method: 'POST', body, headers, duplex: 'half' });
  assert.equal((await problemOf(readBody(request, 10))).code, 'payload_too_large');
  assert.equal(pulled, 0);
});

test('a body that does not say its length, or a wrong one, is refused as soon as it is too large', async () => {
  for (const length of [undefined, '10', '0', 'many']) {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++;
          controller.enqueue(Buffer.from('123456'));
          if (pulled === 100) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers: Record<string, string> = length === undefined ? {} : { 'Content-Length': length };
    const request = new Request('http://daybook.invalid/', { method: 'POST', body, headers, duplex: 'half' });
    const problem = await problemOf(readBody(request, 10));
    assert.deepEqual([problem.code, problem.status], ['payload_too_large', 413]);
    assert.equal(pulled, 2, 'nothing is read beyond the limit');
  }
});

test('a body may be cut anywhere, also within a character', async () => {
  await fc.assert(
    fc.asyncProperty(anyText(), fc.array(fc.nat(40)), async (typed, cuts) => {
      // A decoder takes a byte order mark at the beginning away.
      fc.pre(!typed.startsWith('\ufeff'));
      const bytes = Buffer.from(typed);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
      assert.equal(await readBody(arriving(pieces), bytes.length), typed);
    }),
    { numRuns: 1_000 },
  );
});

test('a body that is not UTF-8 is refused', async () => {
  const wrong = [[0xff], [0x61, 0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];
  for (const bytes of wrong) {
    const problem = await problemOf(readBody(arriving([Buffer.from(bytes)]), 100));
    assert.deepEqual(fieldsOf(problem), { body: 'Must be text in UTF-8.' });
  }
});

test('a sender who goes away in the middle is no fault of the server', async () => {
  async function* half() {
    yield Buffer.from('{"a":');
    throw new Error('aborted');
  }
  const init = { method: 'POST', body: ReadableStream.from(half()), duplex: 'half' } as const;
  assert.equal((await problemOf(readBody(new Request('http://daybook.invalid/', init), 100))).code, 'bad_request');
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

test('an object sent as JSON is read, whatever the letters and parameters of its type', async () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json ;x=y',
  ]) {
    assert.deepEqual(await readObject(arriving(['{"a": [1]}'], { 'Content-Type': type }), 100), { a: [1] });
  }
});

test('what is no JSON object, or is not sent as one, is refused as the body', async () => {
  for (const text of ['', 'a', '{', '{"a":1,}', '1', '"a"', 'null', 'true', '[]', '[{}]', "{'a':1}"]) {
    assert.deepEqual(
      Object.keys(fieldsOf(await problemOf(readObject(arriving([text], JSON_TYPE), 100)))),
      ['body'],
      text,
    );
  }
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/json, application/json',
    'json',
    '',
  ]) {
    const problem = await problemOf(readObject(arriving(['{}'], type === '' ? {} : { 'Content-Type': type }), 100));
    assert.deepEqual(Object.keys(fieldsOf(problem)), ['body'], type);
  }
});

test('too large it is before anything else is said about a body', async () => {
  assert.equal((await problemOf(readObject(arriving(['not JSON', ', and long']), 10))).code, 'payload_too_large');
  assert.equal((await problemOf(readObject(arriving([Buffer.alloc(11, 0xff)]), 10))).code, 'payload_too_large');
});

test('an object with more than 100 members is refused before they are checked', async () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, i]));
  const read = (value: object) => readObject(arriving([JSON.stringify(value)], JSON_TYPE), 10_000);
  assert.ok(await read({ filters: members(100), any: [members(100)] }));
  assert.deepEqual(Object.keys(fieldsOf(await problemOf(read({ filters: members(101) })))), ['filters']);
  assert.deepEqual(Object.keys(fieldsOf(await problemOf(read({ any: [{}, members(101)] })))), ['any.1']);
});

test('a form is known by its type', () => {
  const typed = (type: string): boolean => isForm(arriving([''], { 'Content-Type': type }));
  assert.ok(typed('application/x-www-form-urlencoded'));
  assert.ok(typed('Application/X-WWW-Form-URLencoded; charset=UTF-8'));
  for (const type of ['application/json', 'multipart/form-data; boundary=a', 'application/x-www-form-urlencoded2']) {
    assert.ok(!typed(type), type);
  }
  assert.ok(!isForm(arriving([''])));
});
