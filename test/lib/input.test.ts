import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { type Fields, Problem } from '../../src/lib/errors.ts';
import { bodyOf, checked, isForm, objectOf, queryOf } from '../../src/lib/input.ts';

const RUNS = { numRuns: 2_000 };

/** The fields that a 422 names. */
function fieldsOf(error: unknown): Fields {
  assert.ok(error instanceof Problem, String(error));
  assert.equal(error.code, 'invalid_request');
  assert.ok(error.fields);
  return error.fields;
}

function refused(work: () => unknown): Fields {
  try {
    work();
  } catch (error) {
    return fieldsOf(error);
  }
  assert.fail('nothing was refused');
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Problem, String(error));
  return error;
}

const Step = v.strictObject(
  { type: v.picklist(['page', 'event'], 'Must be "page" or "event".'), value: v.string('Must be text.') },
  (issue) => (issue.expected === 'never' ? 'Is not known.' : 'Must be an object.'),
);
const Funnel = v.strictObject({
  name: v.pipe(v.string('Must be text.'), v.minLength(3, 'Is too short.'), v.regex(/^[a-z]+$/, 'Must be letters.')),
  steps: v.array(Step, 'Must be a list.'),
  note: v.optional(v.string('Must be text.')),
});

test('a value that fits comes back as the schema makes it', () => {
  const Trimmed = v.strictObject({ name: v.pipe(v.string(), v.trim()), size: v.optional(v.number(), 1) });
  assert.deepEqual(checked(Trimmed, { name: ' a ' }), { name: 'a', size: 1 });
});

test('each wrong field is named once, with its path in dots and its first fault', () => {
  const value = { name: '1', steps: [{ type: 'page', value: '/' }, { type: 'other', value: 1 }, {}] };
  assert.deepEqual(
    refused(() => checked(Funnel, value)),
    {
      name: 'Is too short.',
      'steps.1.type': 'Must be "page" or "event".',
      'steps.1.value': 'Must be text.',
      'steps.2.type': 'Is required.',
      'steps.2.value': 'Is required.',
    },
  );
});

test('the message says everything that the fields say', () => {
  const problem = ((): unknown => {
    try {
      return checked(Funnel, { name: 'abc' });
    } catch (error) {
      return error;
    }
  })();
  assert.ok(problem instanceof Problem);
  assert.equal(problem.status, 422);
  assert.equal(problem.message, 'The request is not valid. steps: Is required.');
});

test('a field that is not known is refused and told which are', () => {
  assert.deepEqual(
    refused(() => checked(Funnel, { name: 'abc', steps: [], color: 'red' })),
    {
      color: 'Is not known here; known are name, steps, note.',
    },
  );
  assert.deepEqual(
    refused(() => checked(v.strictObject({}), { color: 'red' })),
    { color: 'Is not known here.' },
  );
  // Deeper down the schema at hand knows nothing of the names there.
  assert.deepEqual(
    refused(() => checked(Funnel, { name: 'abc', steps: [{ type: 'page', value: '/', color: 1 }] })),
    {
      'steps.0.color': 'Is not known here.',
    },
  );
});

test('names that every object has are as unknown as others, and change nothing', () => {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    '',
  ];
  for (const name of names) {
    const typed = `{"name": "abc", "steps": [], ${JSON.stringify(name)}: {"polluted": true}}`;
    const fields = refused(() => checked(Funnel, JSON.parse(typed)));
    assert.deepEqual(Object.entries(fields), [[name, 'Is not known here; known are name, steps, note.']]);
    const deep = `{"name": "abc", "steps": [{"type": "page", "value": "/", ${JSON.stringify(name)}: {"polluted": true}}]}`;
    assert.deepEqual(Object.entries(refused(() => checked(Funnel, JSON.parse(deep)))), [
      [`steps.0.${name}`, 'Is not known here.'],
    ]);
  }
  assert.equal('polluted' in {}, false);
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});

test('whatever JSON comes, it fits or the fields that do not are named', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ name: fc.jsonValue(), steps: fc.jsonValue(), note: fc.jsonValue() }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(value, (typed) => {
      fc.pre(typeof typed === 'object' && typed !== null);
      try {
        assert.deepEqual(checked(Funnel, typed), typed);
      } catch (error) {
        const fields = Object.entries(fieldsOf(error));
        assert.ok(fields.length > 0);
        for (const [, sentence] of fields) assert.match(sentence, /\.$/);
      }
    }),
    RUNS,
  );
});

test('a query string that URLSearchParams wrote is read back', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '__proto__', 'constructor', 'filters[page]', 'a&b', 'a=b', '+', '%41', '?'),
  );
  fc.assert(
    fc.property(fc.dictionary(word, word), (record) => {
      const read = queryOf(new URLSearchParams(Object.entries(record)).toString());
      assert.deepEqual(Object.entries(read), Object.entries(record));
    }),
    RUNS,
  );
});

test('a query string may hold brackets, empty values, names alone and empty places', () => {
  assert.deepEqual(queryOf(''), {});
  assert.deepEqual(queryOf('&&'), {});
  assert.deepEqual(queryOf('range=7d&filters[page]=/a&filters%5Bsource%5D='), {
    range: '7d',
    'filters[page]': '/a',
    'filters[source]': '',
  });
  assert.deepEqual(queryOf('a&b=&c=d=e&'), { a: '', b: '', c: 'd=e' });
  assert.deepEqual(queryOf('a=1+2%2B3&b%20c=%C3%BC'), { a: '1 2+3', 'b c': 'ü' });
  // Decoded once.
  assert.deepEqual(queryOf('a=%2541'), { a: '%41' });
});

test('a parameter that comes twice is refused by its name, however it is spelled', () => {
  for (const raw of ['a=1&a=1', 'a=1&b=2&a=3', 'a=&%61=', 'a&a', 'a=1&a=%']) {
    assert.deepEqual(
      refused(() => queryOf(raw)),
      { a: 'Is given more than once.' },
      raw,
    );
  }
  const fields = refused(() => queryOf('__proto__=1&__proto__=2'));
  assert.deepEqual(Object.entries(fields), [['__proto__', 'Is given more than once.']]);
  assert.deepEqual(
    refused(() => queryOf('b+c=1&b%20c=2')),
    { 'b c': 'Is given more than once.' },
  );
});

test('a broken percent escape is refused by the name of its parameter', () => {
  for (const value of ['%', '%4', '%zz', '100%', '%C3', '%C3%28', '%ff', '%ED%A0%80', '%E0%80%AF']) {
    assert.deepEqual(
      refused(() => queryOf(`a=1&b%20c=${value}`)),
      { 'b c': 'Has a broken percent escape.' },
      value,
    );
    assert.deepEqual(
      refused(() => queryOf(`a=1&${value}=1`)),
      { [value]: 'Has a broken percent escape.' },
      value,
    );
  }
});

test('no text makes queryOf throw anything but a 422 that names one field', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '=',
    '&',
    '%',
    '%41',
    '%C3%BC',
    '%C3',
    '+',
    '[',
    ']',
    '__proto__',
    '\ud800',
    'ü',
    '\u0000',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((all) => all.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (raw) => {
        try {
          queryOf(raw);
        } catch (error) {
          assert.equal(Object.keys(fieldsOf(error)).length, 1);
        }
      },
    ),
    { numRuns: 5_000 },
  );
});

/** A request whose body arrives in pieces, with its length announced only when it is among the headers. */
function arriving(pieces: (string | Uint8Array)[], headers: Record<string, string> = {}): Request {
  const body = ReadableStream.from(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
  return new Request('http://daybook.invalid/', { method: 'POST', body, headers, duplex: 'half' });
}

test('a body of exactly the limit is read, whole or in pieces', async () => {
  assert.equal(await bodyOf(arriving(['12345', '67890'], { 'Content-Length': '10' }), 10), '1234567890');
  assert.equal(await bodyOf(arriving(['12345', '67890']), 10), '1234567890');
  assert.equal(await bodyOf(arriving(['12345', '', '67890']), 10), '1234567890');
  assert.equal(await bodyOf(new Request('http://daybook.invalid/', { method: 'POST' }), 10), '');
  // Bytes are counted, not characters: each of these has four.
  assert.equal(await bodyOf(arriving(['😀😀']), 8), '😀😀');
  assert.equal((await problemOf(bodyOf(arriving(['😀😀']), 7))).code, 'payload_too_large');
});

test('a body that says it is too large is refused before a byte of it is read', async () => {
  let pulled = 0;
  const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
  const headers = { 'Content-Length': '11' };
  const request = new Request('http://daybook.invalid/', { method: 'POST', body, headers, duplex: 'half' });
  assert.equal((await problemOf(bodyOf(request, 10))).code, 'payload_too_large');
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
    const problem = await problemOf(bodyOf(request, 10));
    assert.deepEqual([problem.code, problem.status], ['payload_too_large', 413]);
    assert.equal(pulled, 2, 'nothing is read beyond the limit');
  }
});

test('a body may be cut anywhere, also within a character', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.array(fc.nat(40)), async (typed, cuts) => {
      // A decoder takes a byte order mark at the beginning away.
      fc.pre(!typed.startsWith('\ufeff'));
      const bytes = Buffer.from(typed);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
      assert.equal(await bodyOf(arriving(pieces), bytes.length), typed);
    }),
    { numRuns: 1_000 },
  );
});

test('a body that is not UTF-8 is refused', async () => {
  const wrong = [[0xff], [0x61, 0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];
  for (const bytes of wrong) {
    const problem = await problemOf(bodyOf(arriving([Buffer.from(bytes)]), 100));
    assert.deepEqual(fieldsOf(problem), { body: 'Must be text in UTF-8.' });
  }
});

test('a sender who goes away in the middle is no fault of the server', async () => {
  async function* half() {
    yield Buffer.from('{"a":');
    throw new Error('aborted');
  }
  const init = { method: 'POST', body: ReadableStream.from(half()), duplex: 'half' } as const;
  assert.equal((await problemOf(bodyOf(new Request('http://daybook.invalid/', init), 100))).code, 'bad_request');
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

test('an object sent as JSON is read, whatever the letters and parameters of its type', async () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json ;x=y',
  ]) {
    assert.deepEqual(await objectOf(arriving(['{"a": [1]}'], { 'Content-Type': type }), 100), { a: [1] });
  }
});

test('what is no JSON object, or is not sent as one, is refused as the body', async () => {
  for (const text of ['', 'a', '{', '{"a":1,}', '1', '"a"', 'null', 'true', '[]', '[{}]', "{'a':1}"]) {
    assert.deepEqual(
      Object.keys(fieldsOf(await problemOf(objectOf(arriving([text], JSON_TYPE), 100)))),
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
    const problem = await problemOf(objectOf(arriving(['{}'], type === '' ? {} : { 'Content-Type': type }), 100));
    assert.deepEqual(Object.keys(fieldsOf(problem)), ['body'], type);
  }
});

test('too large it is before anything else is said about a body', async () => {
  assert.equal((await problemOf(objectOf(arriving(['not JSON', ', and long']), 10))).code, 'payload_too_large');
  assert.equal((await problemOf(objectOf(arriving([Buffer.alloc(11, 0xff)]), 10))).code, 'payload_too_large');
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
