import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { Props, readFileProps, readSoundProps } from '../../src/classify/props.ts';
import { readCoded } from '../../src/lib/http/fault.ts';

const codeOf = (props: unknown): string => {
  const { issues = [] } = v.safeParse(Props, props);
  return readCoded(issues[0]?.message ?? '').code;
};

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));

test('properties: texts, numbers and true or false become texts, and names get small letters', () => {
  const read = v.parse(Props, {
    Plan: 'pro',
    count: 3,
    rate: 0.5,
    trial: true,
    off: false,
    empty: '',
    constructor: 'x',
  });
  assert.deepEqual(read, [
    ['plan', 'pro'],
    ['count', '3'],
    ['rate', '0.5'],
    ['trial', 'true'],
    ['off', 'false'],
    ['empty', ''],
    ['constructor', 'x'],
  ]);
});

test('properties: a server learns what is wrong', () => {
  for (const props of ['plan', ['plan'], null]) assert.equal(codeOf(props), 'no_properties');
  for (const name of ['1st', 'a-b', 'a b', 'é', '', '_a', 'constructor.name']) {
    assert.equal(codeOf({ [name]: 'x' }), 'no_property_name', name);
  }
  for (const value of [null, ['x'], { x: 1 }]) assert.equal(codeOf({ plan: value }), 'no_property_value');
  assert.equal(codeOf({ plan: '\ud800' }), 'no_unicode');
  assert.equal(codeOf({ plan: 'x'.repeat(201) }), 'too_long');
  assert.equal(codeOf({ ['p'.repeat(41)]: 'x' }), 'too_long');
  assert.equal(codeOf(many(21)), 'too_many_properties');
  assert.ok(v.is(Props, { plan: '\u{1f600}'.repeat(200), ['p'.repeat(40)]: 'x', ...many(18) }));
});

test('properties: of a browser the sound ones are taken, at most 20', () => {
  assert.equal(readSoundProps('plan'), undefined);
  assert.equal(readSoundProps(['plan']), undefined);
  assert.deepEqual(readSoundProps({ plan: 'pro', 'no name': 1, gone: null, list: [1], n: 2 }), [
    ['plan', 'pro'],
    ['n', '2'],
  ]);
  assert.equal(readSoundProps(many(30))?.length, 20);
});

test('properties: a file says which one is wrong, and may have names beyond the limit', () => {
  assert.equal(readFileProps('{"plan":null}'), 'plan: Must be text, a number, true or false.');
  assert.deepEqual(readFileProps('{"plan":"pro","(other)":"(other)"}'), [
    ['plan', 'pro'],
    ['(other)', '(other)'],
  ]);
});
