import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { Problem } from '../../../src/lib/errors.ts';
import { checked } from '../../../src/lib/http/input.ts';
import { fieldsOf, RUNS, refused } from './problems.ts';

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
      'steps.2.type': 'This is required.',
      'steps.2.value': 'This is required.',
    },
  );
});

test('of thousands of faults, the answer names fifty', () => {
  const value = { name: 'abc', steps: Array.from({ length: 5_000 }, () => 1) };
  assert.equal(Object.keys(refused(() => checked(Funnel, value))).length, 50);
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
  assert.equal(problem.message, 'The request is not valid. steps: This is required.');
});

test('a field that is not known is refused and told which are', () => {
  assert.deepEqual(
    refused(() => checked(Funnel, { name: 'abc', steps: [], color: 'red' })),
    {
      color: 'This is unknown. Known: name, steps, note.',
    },
  );
  assert.deepEqual(
    refused(() => checked(v.strictObject({}), { color: 'red' })),
    { color: 'This is unknown.' },
  );
  // Deeper down the schema at hand knows nothing of the names there.
  assert.deepEqual(
    refused(() => checked(Funnel, { name: 'abc', steps: [{ type: 'page', value: '/', color: 1 }] })),
    {
      'steps.0.color': 'This is unknown.',
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
    assert.deepEqual(Object.entries(fields), [[name, 'This is unknown. Known: name, steps, note.']]);
    const deep = `{"name": "abc", "steps": [{"type": "page", "value": "/", ${JSON.stringify(name)}: {"polluted": true}}]}`;
    assert.deepEqual(Object.entries(refused(() => checked(Funnel, JSON.parse(deep)))), [
      [`steps.0.${name}`, 'This is unknown.'],
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
    fc.property(value, (given) => {
      // Parsed JSON has only plain objects. The generator makes some objects without a prototype.
      const typed: unknown = JSON.parse(JSON.stringify(given));
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
