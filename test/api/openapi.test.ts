import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { routes } from '../../src/api/routes.ts';
import { emptyApp } from '../helpers.ts';

const document = async (t: Parameters<typeof emptyApp>[0]) =>
  (await (await emptyApp(t)).ask('GET', '/api/v1/openapi.json')).body;

test('the document is valid OpenAPI 3.1 and needs no token', async (t) => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(await document(t));
  assert.deepEqual([valid, errors], [true, undefined]);
  assert.equal(validator.version, '3.1');
});

test('it holds every route of the table and no other, each with its success and what may go wrong', async (t) => {
  const { paths } = await document(t);
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(described.sort(), routes.map(({ method, path }) => `${method} ${path}`).sort());
  const ids = new Set<string>();
  for (const { method, path, answer, right, asks } of routes) {
    const operation = paths[path][method.toLowerCase()];
    ids.add(operation.operationId);
    const success = right === 'collectSite' ? '202' : answer ? (method === 'POST' && !asks ? '201' : '200') : '204';
    assert.ok(operation.responses[success], `${method} ${path}`);
    assert.ok(operation.responses[401] && operation.responses[429]);
  }
  assert.equal(ids.size, routes.length);
});

test('limits that JSON Schema can say are said', async (t) => {
  const { paths } = await document(t);
  const bodyOf = (path: string) => paths[path].post.requestBody.content['application/json'].schema;
  const note = bodyOf('/sites/{site}/notes');
  assert.deepEqual(note.properties.text, { type: 'string', minLength: 1, maxLength: 200 });
  assert.deepEqual(note.required, ['date', 'text']);
  assert.equal(note.additionalProperties, false);
  const { steps } = bodyOf('/sites/{site}/funnels').properties;
  assert.deepEqual([steps.minItems, steps.maxItems], [2, 8]);
  assert.deepEqual(
    paths['/sites/{site}/notes'].get.parameters.map(({ name }: { name: string }) => name),
    ['site', 'from', 'to'],
  );
});

test('what a client may send is described as it is sent, not as it is kept', async (t) => {
  const { paths } = await document(t);
  const fieldsOf = (path: string) => paths[path].post.requestBody.content['application/json'].schema.properties;
  assert.equal(fieldsOf('/sites').domain.maxLength, 253);
  assert.match('ann@example.com', new RegExp(fieldsOf('/team').email.pattern, 'u'));
  assert.doesNotMatch('ann', new RegExp(fieldsOf('/team').email.pattern, 'u'));
  const { oneOf, anyOf } = paths['/sites/{site}/goals'].post.requestBody.content['application/json'].schema;
  assert.deepEqual(
    (oneOf ?? anyOf).map(({ properties }: { properties: { value: unknown } }) => properties.value),
    [
      { type: 'string', pattern: '^(?=[/*])[^*]*(?:\\*[^*]*){0,16}$' },
      { type: 'string', minLength: 1, maxLength: 120 },
    ],
  );
});

test('a parameter is described by what it takes', async (t) => {
  const { paths } = await document(t);
  const parametersOf = (report: string): Record<string, Record<string, unknown>> =>
    Object.fromEntries(
      paths[`/sites/{site}/stats/${report}`].get.parameters.map(
        ({ name, schema }: { name: string; schema: object }) => [name, schema],
      ),
    );
  const { limit, range, crawler, 'filters[goal]': goal } = parametersOf('bots');
  assert.deepEqual(limit, { type: 'integer', minimum: 1, maximum: 100, default: 10 });
  assert.deepEqual(goal, { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 });
  const {
    'filters[goal][not]': goals,
    'filters[page][like]': like,
    'filters[device][is]': devices,
  } = parametersOf('bots');
  assert.deepEqual(goals, { type: 'array', items: goal, maxItems: 20 });
  const [pattern, stars] = ['^[^*]*(?:\\*[^*]*){0,16}$', '*'.repeat(16)];
  assert.deepEqual(like?.items, { type: 'string', pattern, minLength: 1, maxLength: 1_024 });
  assert.match(stars, new RegExp(pattern));
  assert.doesNotMatch(`*${stars}`, new RegExp(pattern));
  assert.deepEqual(devices?.items, { type: 'string', enum: ['Desktop', 'Mobile', 'Tablet', ''] });
  assert.ok(Array.isArray(crawler?.enum) && crawler.enum.includes('gptbot'));
  for (const good of ['today', '12m', '2026-01-01~2026-01-31']) assert.match(good, new RegExp(String(range?.pattern)));
  for (const bad of ['', 'tomorrow', '2026-01-01', '1d~2d'])
    assert.doesNotMatch(bad, new RegExp(String(range?.pattern)));
  const passed = paths['/sites/{site}/hits'].post.requestBody.content['application/json'].schema;
  const { url, ip, label } = passed.items.properties;
  assert.deepEqual([passed.maxItems, url.format, label.maxLength], [1_000, 'url', 200]);
  assert.deepEqual(
    ip.anyOf,
    ['ipv4', 'ipv6'].map((format) => ({ type: 'string', format })),
  );
});
