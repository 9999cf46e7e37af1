import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { EXAMPLES } from '../../src/api/examples.ts';
import type { Json } from '../../src/api/json-schema.ts';
import { routes } from '../../src/api/routes.ts';
import { ANSWERS, BODIES } from '../../src/api/schemas.ts';
import { checked, type Schema } from '../../src/lib/http/input.ts';
import { emptyApp } from '../support/helpers.ts';

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
  for (const { method, path, answer, right, asks, isLong, isFile } of routes) {
    const operation = paths[path][method.toLowerCase()];
    ids.add(operation.operationId);
    const success =
      right === 'collectSite'
        ? '202'
        : answer || isFile
          ? method === 'POST' && !asks && !isLong
            ? '201'
            : '200'
          : '204';
    assert.deepEqual(Object.keys(operation.responses), [success, 'default'], `${method} ${path}`);
  }
  assert.equal(ids.size, routes.length);
});

test('it is small enough to be read as a whole, though each report takes a hundred filters', async (t) => {
  const { text } = await (await emptyApp(t)).ask('GET', '/api/v1/openapi.json');
  assert.ok(Buffer.byteLength(text) < 240_000, `${Buffer.byteLength(text)} bytes`);
});

/** Each object in a document, with where it stands. */
function* objectsIn(value: unknown, place = ''): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Json];
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${place}/${key}`);
}

test('what refers to something refers to what is there, and nothing stands there in vain', async (t) => {
  const whole = await document(t);
  const referred = new Set([...objectsIn(whole)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])));
  const kinds = ['schemas', 'parameters', 'responses', 'headers'];
  const there = kinds.flatMap((kind) =>
    Object.keys(whole.components[kind]).map((name) => `#/components/${kind}/${name}`),
  );
  assert.deepEqual([...referred].sort(), there.sort());
});

test('answers and bodies are types with a name, and answers may gain members', async (t) => {
  const { paths, components } = await document(t);
  for (const [path, operations] of Object.entries<Record<string, Json>>(paths)) {
    for (const { requestBody, responses } of Object.values<Json>(operations)) {
      const bodies = [requestBody, ...Object.values(responses as Json)] as { content?: Json }[];
      const schemas = bodies.flatMap((one) => Object.values(one?.content ?? {}) as { schema: Json }[]);
      for (const { schema } of schemas) assert.match(String(schema.$ref), /^#\/components\/schemas\/\w+$/, path);
    }
  }
  for (const name of Object.keys(ANSWERS)) {
    const strict = [...objectsIn(components.schemas[name])].filter(([, one]) => one.additionalProperties === false);
    assert.deepEqual(strict, [], name);
  }
  assert.equal(components.schemas.NewGoal.oneOf[0].additionalProperties, false);
});

test('counts are whole numbers, null where there may be none, and each value that is given has its type', async (t) => {
  const whole = await document(t);
  const { Row, Overview, Previous, Change } = whole.components.schemas;
  assert.deepEqual(Row.properties.pageviews, { type: 'integer', minimum: 0 });
  assert.deepEqual(Row.properties.visit_duration, { type: ['integer', 'null'], minimum: 0 });
  assert.deepEqual(Row.properties.bounce_rate, { type: 'number' });
  assert.deepEqual(Overview.properties.complete, { type: 'boolean' });
  assert.equal(Previous.properties.visits.type, 'integer');
  assert.deepEqual(Change.properties.visits, { type: ['number', 'null'] });
  const untyped = [...objectsIn(whole)].filter(([, one]) => 'const' in one && !('type' in one));
  assert.deepEqual(untyped, []);
});

test('each parameter says what it is, and those of several routes stand once', async (t) => {
  const { paths, components } = await document(t);
  const inline = [...objectsIn(paths)].filter(([, one]) => 'in' in one && 'schema' in one).map(([, one]) => one);
  const all = [...inline, ...Object.values<Json>(components.parameters)];
  for (const { name, description } of all) assert.match(String(description), /^[A-Z].{5}/, String(name));
  const shared = components.parameters;
  for (const name of ['site', 'range', 'compare', 'country.1', 'page.like']) {
    assert.ok(shared[name].description && shared[name].example !== undefined, name);
  }
  assert.deepEqual(shared['page.like'].example, ['/pricing*']);
  assert.equal(inline.filter(({ name }) => String(name).startsWith('filters[')).length, 0);
});

test('the operations are in a few groups, each with a description', async (t) => {
  const { paths, tags, info } = await document(t);
  const used = new Set(
    Object.values<Record<string, Json>>(paths).flatMap((one) => Object.values(one).flatMap((op) => op.tags)),
  );
  assert.deepEqual([...used].sort(), tags.map(({ name }: { name: string }) => name).sort());
  assert.ok(tags.length <= 8 && tags.every(({ description }: { description: string }) => description.length > 10));
  assert.deepEqual(info.license, { name: 'MIT', identifier: 'MIT' });
});

test('each example is what its schema takes, and stands in the document', async (t) => {
  const { components } = await document(t);
  const known: Record<string, Schema> = { ...ANSWERS, ...BODIES };
  for (const [name, example] of Object.entries(EXAMPLES)) {
    checked(known[name] ?? assert.fail(name), example);
    assert.deepEqual(components.schemas[name].examples, [example]);
  }
});

test('limits that JSON Schema can say are said', async (t) => {
  const { paths, components } = await document(t);
  const { NewNote: note, NewFunnel: funnel } = components.schemas;
  assert.deepEqual(note.properties.text, { type: 'string', minLength: 1, maxLength: 200 });
  assert.deepEqual(note.required, ['text']);
  assert.equal(note.additionalProperties, false);
  assert.deepEqual([funnel.properties.steps.minItems, funnel.properties.steps.maxItems], [2, 8]);
  assert.deepEqual(
    paths['/sites/{site}/notes'].get.parameters.map(({ name, $ref }: { name: string; $ref: string }) => name ?? $ref),
    ['#/components/parameters/site', 'from', 'to'],
  );
});

test('what a client may send is described as it is sent, not as it is kept', async (t) => {
  const { schemas } = (await document(t)).components;
  assert.equal(schemas.NewSite.properties.domain.maxLength, 253);
  const email = new RegExp(schemas.NewMember.properties.email.pattern, 'u');
  assert.match('ann@example.com', email);
  assert.doesNotMatch('ann', email);
  assert.deepEqual(
    schemas.NewGoal.oneOf.map(({ properties }: { properties: { value: unknown } }) => properties.value),
    [
      { type: 'string', pattern: '^(?=[/*])[^*]*(?:\\*[^*]*){0,16}$' },
      { type: 'string', minLength: 1, maxLength: 120 },
    ],
  );
});

test('a parameter is described by what it takes', async (t) => {
  const { paths, components } = await document(t);
  const { parameters, schemas } = components;
  const schemaOf = (name: string): Json => parameters[name].schema;
  const goal = { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 };
  assert.deepEqual(schemaOf('limit'), { type: 'integer', minimum: 1, maximum: 100, default: 10 });
  assert.deepEqual(schemaOf('goal.1'), goal);
  assert.deepEqual(schemaOf('goal.not'), { type: 'array', items: goal, maxItems: 20 });
  assert.deepEqual(schemaOf('source.like'), {
    ...{ type: 'array', items: { $ref: '#/components/schemas/SourcePattern' }, maxItems: 20 },
  });
  const [pattern, stars] = ['^[^*]*(?:\\*[^*]*){0,16}$', '*'.repeat(16)];
  assert.deepEqual(schemas.PagePattern, { type: 'string', pattern, minLength: 1, maxLength: 1_024 });
  assert.match(stars, new RegExp(pattern));
  assert.doesNotMatch(`*${stars}`, new RegExp(pattern));
  assert.deepEqual(schemaOf('device.is').items, { $ref: '#/components/schemas/Device' });
  assert.deepEqual(schemas.Device, { enum: ['Desktop', 'Mobile', 'Tablet', ''], type: 'string' });
  const { schema: crawler } = paths['/sites/{site}/stats/bots'].get.parameters.find(
    ({ name }: { name?: string }) => name === 'crawler',
  );
  assert.ok(crawler.enum.includes('gptbot'));
  const range = new RegExp(String(schemaOf('range').pattern));
  for (const good of ['today', '12m', '2026-01-01~2026-01-31']) assert.match(good, range);
  for (const bad of ['', 'tomorrow', '2026-01-01', '1d~2d']) assert.doesNotMatch(bad, range);
  const { url, ip, label } = schemas.Hit.properties;
  assert.deepEqual([schemas.Hits.maxItems, url.format, label.maxLength], [1_000, 'url', 200]);
  assert.deepEqual(
    ip.anyOf,
    ['ipv4', 'ipv6'].map((format) => ({ type: 'string', format })),
  );
});
