import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { CODES } from '../../src/lang/codes.ts';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { inLanguage } from '../../src/lang/translated-sentences.ts';
import { readCoded } from '../../src/lib/http/fault.ts';
import { startApp } from '../support/helpers.ts';

/** The messages in a schema and in all that it is made of. */
function messagesIn(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const { message } = schema as { message?: unknown };
  const own = typeof message === 'string' ? [message] : [];
  return [...own, ...Object.values(schema).flatMap((part) => messagesIn(part, seen))];
}

test('what any schema of the API says of a fault is a code of the table, and a sentence in each language', () => {
  const messages = new Set(routes.flatMap(({ query, body }) => [...messagesIn(query), ...messagesIn(body)]));
  assert.ok(messages.size > 30);
  for (const message of messages) {
    const fault = readCoded(message);
    assert.ok(fault.code in CODES && fault.code !== 'other_text', message);
    for (const language of LANGUAGES) assert.doesNotMatch(inLanguage(fault, language), /[{}]/, message);
  }
});

test('an error has its English text, and the same as codes and values', async (t) => {
  const { siteId, owner } = await startApp(t);
  const goal = (value: string) => owner.ask('POST', `/sites/${siteId}/goals`, { type: 'event', value });
  const long = await goal('x'.repeat(200));
  assert.deepEqual(long.body.error, {
    code: 'invalid_request',
    message: 'The request is not valid. value: Must have at most 120 characters.',
    fields: { value: 'Must have at most 120 characters.' },
    field_codes: { value: { code: 'too_long', values: { most: 120 } } },
  });
  const missing = await owner.ask('GET', '/sites/nowhere.example');
  assert.deepEqual(missing.body.error, {
    code: 'not_found',
    message: 'This does not exist, or you have no access to it.',
  });
  const view = (name: string) => owner.ask('POST', `/sites/${siteId}/views`, { name, query: 'range=7d' });
  for (let i = 0; i < 50; i++) assert.equal((await view(`view ${i}`)).status, 201);
  assert.deepEqual((await view('one more')).body.error, {
    code: 'limit_reached',
    message: 'A site can have at most 50 saved views. Remove one first.',
    message_code: { code: 'most_views', values: { most: 50 } },
  });
});

test('values of a wrong type are refused with a code of the table, wherever they stand in a body', async (t) => {
  const { siteId, owner } = await startApp(t);
  const filters = {
    browser: 3,
    city: { is: [null] },
    utm_term: '\ud800',
    hostname: true,
    country: [],
    source: '\udc00',
  };
  const wrong: [path: string, body: unknown][] = [
    ['/exclusions/preview', { from: '2026-03-01', filters }],
    ['/exclusions/preview', { from: '2026-03-01', filters: 'browser' }],
    ['/hits', [1, null]],
    ['/crawls', ['x']],
  ];
  for (const [path, body] of wrong) {
    const { status, body: answer } = await owner.ask('POST', `/sites/${siteId}${path}`, body);
    assert.equal(status, 422);
    const faults: [string, { code: string }][] = Object.entries(answer.error.field_codes);
    assert.ok(faults.length > 0);
    for (const [field, { code }] of faults) assert.notEqual(code, 'other_text', `${path} ${field}`);
  }
});

test('a name that every object has is no filter and no operator', async (t) => {
  const { siteId, owner } = await startApp(t);
  for (const name of ['toString', 'valueOf', 'hasOwnProperty', 'property:NAME', 'property:Plan']) {
    const body = { from: '2026-03-01', filters: { [name]: 'x' } };
    const { status, body: answer } = await owner.ask('POST', `/sites/${siteId}/exclusions/preview`, body);
    assert.deepEqual([status, answer.error?.field_codes[`filters.${name}`]?.code], [422, 'not_known_of'], name);
  }
  for (const operator of ['toString', 'constructor', 'x']) {
    const parameter = `filters[property:plan][${operator}]`;
    const { status, body } = await owner.ask('GET', `/sites/${siteId}/stats/overview?${parameter}=x`);
    assert.deepEqual([status, body.error.field_codes?.[parameter]?.code], [422, 'none_of'], operator);
  }
  const goal = { type: 'event', value: 'e', property: null };
  const { body } = await owner.ask('POST', `/sites/${siteId}/goals`, goal);
  assert.equal(body.error.field_codes.property.code, 'no_object');
});
