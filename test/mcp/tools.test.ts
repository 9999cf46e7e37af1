import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { addSearches } from '../../src/store/sites/searches.ts';
import { FIREFOX, startApp } from '../support/helpers.ts';
import { call, request } from './asking.ts';

const ON = { mcp: 'on' };

async function visited(app: Awaited<ReturnType<typeof startApp>>): Promise<void> {
  const hit = { url: 'https://example.com/blog/first', ip: '192.0.2.7', agent: FIREFOX };
  const { status } = await app.owner.ask('POST', '/sites/example.com/hits', [hit, { ...hit, ip: '192.0.2.8' }]);
  assert.equal(status, 202);
}

type Pair = [path: string, given: object];

/** Reports that are no tools, with the arguments of `query` that answer them. */
const SAID_BY_QUERY: Record<string, object> = {
  '/sites/{site}/stats/timeseries': { by: ['day'], metrics: ['visitors', 'pageviews'], sort: 'day' },
  '/sites/{site}/stats/assistants': { by: ['source'], filters: { channel: 'AI Assistants' } },
};

test('mcp: every statistic that can be read is a tool or said by query, and no tool changes anything', () => {
  const rows = [...TOOLS.values()].map(({ row }) => row);
  assert.ok(rows.every(({ method, asks }) => method === 'GET' || asks));
  const statistics = routes.filter(({ path }) => path.includes('/stats/')).map(({ path }) => path);
  const missing = statistics.filter((path) => !rows.some((row) => row.path === path));
  // The report realtime is a part of the report live.
  const others = ['/sites/{site}/stats/realtime'];
  assert.deepEqual(missing.sort(), [...Object.keys(SAID_BY_QUERY), ...others].sort());
  assert.ok(rows.every(({ path }) => /^\/(?:sites|stats)\b/.test(path)));
});

test('mcp: what is no tool is answered by query, with the figures of the report', async (t) => {
  const app = await startApp(t, ON);
  const hit = { url: 'https://example.com/', agent: FIREFOX, referrer: 'https://chatgpt.com/' };
  const hits = [1, 2, 3].map((i) => ({ ...hit, ip: `192.0.2.${i}`, ...(i === 3 && { referrer: '' }) }));
  assert.equal((await app.owner.ask('POST', '/sites/example.com/hits', hits)).status, 202);
  const ask = async (given: object) =>
    (await call(app, app.owner.token, 'query', { site: 'example.com', range: 'today', ...given })).structuredContent
      .data;
  const report = async (path: string) =>
    (await app.owner.ask('GET', `${path.replace('{site}', 'example.com')}?range=today`)).body.data;
  const [[timeseries, byDay], [assistants, bySource]] = Object.entries(SAID_BY_QUERY) as [Pair, Pair];
  const [point] = (await report(timeseries)).points;
  const { visitors, pageviews, date } = point;
  assert.deepEqual((await ask(byDay)).rows, [{ by: [date], metrics: { visitors, pageviews } }]);
  assert.equal(visitors, 3);
  const { rows } = await report(assistants);
  const expected = rows.map((row: { value: string; visitors: number }) => [row.value, row.visitors]);
  assert.deepEqual(expected, [['chatgpt.com', 2]]);
  const found = (await ask(bySource)).rows as { by: string[]; metrics: { visitors: number } }[];
  assert.deepEqual(
    found.map(({ by, metrics }) => [by[0], metrics.visitors]),
    expected,
  );
});

test('a tool is listed by the question that it answers, with names that assistants take', async (t) => {
  const app = await startApp(t, ON);
  const { body, text } = await request(app, app.owner.token, 'tools/list');
  const { tools } = body.result;
  assert.equal(tools.length, TOOLS.size);
  for (const { name, title, description, inputSchema, annotations } of tools) {
    assert.match(name, /^[a-z_]{1,64}$/);
    assert.match(title, /\?$/);
    assert.match(description, /\.$/);
    assert.equal(annotations.readOnlyHint, true);
    for (const parameter of Object.keys(inputSchema.properties)) assert.match(parameter, /^[a-zA-Z0-9_.-]{1,64}$/);
  }
  const schemaOf = (tool: string) => tools.find(({ name }: { name: string }) => name === tool).inputSchema;
  const { required, properties } = schemaOf('query');
  assert.deepEqual(required, ['site']);
  assert.deepEqual([properties.limit.type, properties.by.maxItems], ['integer', 3]);
  assert.ok(properties.by.items.anyOf[0].enum.includes('hour_of_day'));
  const { propertyNames, properties: typed, additionalProperties } = properties.filters;
  assert.ok(propertyNames.anyOf[0].enum.includes('country'));
  assert.deepEqual(Object.keys(typed), ['channel', 'device', 'screen', 'goal', 'pageviews']);
  assert.deepEqual(Object.keys(additionalProperties.anyOf[1].properties), ['is', 'not', 'like', 'unlike']);
  assert.deepEqual(schemaOf('breakdown').properties.breakdown.enum, ['event_labels', 'properties']);
  assert.equal(schemaOf('google_searches').properties.limit.maximum, 100);
  assert.equal(schemaOf('overview').properties.filters.description, 'As in the tool query');
  const outages = tools.find(({ name }: { name: string }) => name === 'outages');
  assert.deepEqual(Object.keys(outages.inputSchema.properties), ['site', 'range'], 'filters do not apply there');
  // An assistant reads it whole before its first question.
  assert.ok(Buffer.byteLength(text) < 20_000, `${Buffer.byteLength(text)} bytes`);
});

test('a tool answers what the API answers, with what its words mean', async (t) => {
  const app = await startApp(t, ON);
  await visited(app);
  for (const person of [app.owner, app.manager, app.viewer]) {
    const own = await person.ask('GET', '/sites/example.com/stats/overview?range=today');
    const { structuredContent, content, isError } = await call(app, person.token, 'overview', {
      site: 'example.com',
      range: 'today',
    });
    assert.equal(isError, undefined);
    assert.deepEqual(structuredContent.data, own.body.data);
    assert.equal(structuredContent.data.visitors, 2);
    assert.match(structuredContent.definitions.visitors, /one day of the site/);
    assert.match(structuredContent.definitions.bounce_rate, /one pageview and no event/);
    // Not only where nobody came before.
    assert.match(structuredContent.definitions.change, /if a notice says/);
    assert.equal('conversions' in structuredContent.definitions, false);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  }
});

test('arguments may be numbers, and filters are values or lists by operator', async (t) => {
  const app = await startApp(t, ON);
  await visited(app);
  const visitors = async (filters: object) => {
    const given = { site: app.siteId, range: 'today', by: ['page'], limit: 5, filters };
    const { structuredContent } = await call(app, app.owner.token, 'query', given);
    const { rows } = structuredContent.data as { rows: { by: string[]; metrics: { visitors: number } }[] };
    return rows.map(({ by, metrics }) => [by[0], metrics.visitors]);
  };
  assert.deepEqual(await visitors({}), [['/blog/first', 2]]);
  assert.deepEqual(await visitors({ source: '' }), [['/blog/first', 2]]);
  assert.deepEqual(await visitors({ page: { like: ['/blog/*'], unlike: ['*draft*', '*old*'] } }), [['/blog/first', 2]]);
  assert.deepEqual(await visitors({ page: { like: ['/shop/*'] } }), []);
  const sites = await call(app, app.owner.token, 'sites');
  assert.deepEqual(
    sites.structuredContent.data.map(({ domain }: { domain: string }) => domain),
    ['example.com'],
  );
});

test('an answer has its notices', async (t) => {
  const app = await startApp(t, ON);
  await visited(app);
  await app.owner.ask('PATCH', '/sites/example.com', { time_zone: 'Europe/Berlin' });
  app.clock.pass(2 * 86_400);
  await app.seal();
  const own = await app.owner.ask('GET', '/sites/example.com/stats/overview?range=7d');
  const { structuredContent } = await call(app, app.owner.token, 'overview', { site: 'example.com', range: '7d' });
  assert.ok(own.body.data.notices.length > 0);
  assert.deepEqual(structuredContent.data.notices, own.body.data.notices);
  assert.match(structuredContent.definitions.notices, /leaves out/);
});

test('a call with wrong arguments takes its turn like any other', async (t) => {
  const app = await startApp(t, { ...ON, 'rate-limit': '3' });
  const wrong = () => request(app, app.owner.token, 'tools/call', { name: 'overview', arguments: { nothing: 1 } });
  for (const left of ['2', '1', '0']) {
    const { body, headers } = await wrong();
    assert.deepEqual([body.result.isError, headers.get('x-ratelimit-remaining')], [true, left]);
  }
  assert.equal((await wrong()).status, 429);
});

/** The arguments of the tool overview. */
const OVERVIEW = 'site, range, metrics, compare, compare_until, currency, as_of';

test('a refusal of the API is an error of the tool, with its message and its fields', async (t) => {
  const app = await startApp(t, { ...ON, 'rate-limit': '40' });
  const refused = async (given: object, name = 'overview', { token } = app.owner) => {
    const { status, isError, content, structuredContent } = await call(app, token, name, given);
    assert.deepEqual([status, isError, structuredContent], [200, true, undefined]);
    return JSON.parse(content[0].text).error;
  };
  const site = 'example.com';
  assert.deepEqual(await refused({}), {
    code: 'invalid_request',
    message: 'The request is not valid. site: This is required.',
    fields: { site: 'This is required.' },
    field_codes: { site: { code: 'required', values: {} } },
  });
  assert.match((await refused({ site, range: 'soon' })).fields.range, /^Must be today, yesterday/);
  assert.equal((await refused({ site, rnage: '7d' })).fields.rnage, `This is unknown. Known: ${OVERVIEW}, filters.`);
  assert.match((await refused({ site, 'filters[page]': '/' })).fields['filters[page]'], /^This is unknown\. Known: /);
  assert.match((await refused({ site, filters: { page: ['/'] } })).fields['filters.page'], /lists of values/);
  assert.match((await refused({ site, filters: { county: 'DE' } })).fields['filters.county'], /Known: page, event, /);
  assert.deepEqual((await refused({ site, filters: { page: { likes: ['/'] } } })).fields, {
    'filters.page.likes': 'This is unknown. Known: is, not, like, unlike.',
  });
  // A schema of records does not see such a name. The figures of all visits would be the answer.
  for (const filters of [
    { page: { constructor: ['/'] } },
    { 'property:plan': { constructor: ['p'] } },
    { constructor: 'x' },
  ])
    assert.match(Object.keys((await refused({ site, filters })).fields).join(), /constructor$/);
  for (const country of [{}, { is: [] }, { is: ['DE'], not: [] }]) {
    const { fields } = await refused({ site, filters: { country } });
    assert.match(Object.entries(fields).join(), /^filters\.country.*,Must have at least one value\.$/);
  }
  const { message, fields } = await refused({ site, filters: { country: { is: ['Germany'] } } });
  assert.deepEqual(Object.keys(fields), ['filters.country.is']);
  assert.match(message, /filters\.country\.is: Must be two letters/);
  assert.match((await refused({ site, filters: { country: 'DE' } }, 'outages')).fields.filters, /Known: site, range\./);
  assert.match((await refused({ site, range: { from: 1 } })).fields.range, /text or a number/);
  assert.match((await refused({ site, breakdown: 'event_labels', limit: 1000 }, 'breakdown')).fields.limit, /1 to 100/);
  // Somebody else's site cannot be told from one that does not exist, nor can a path be made of a name.
  const foreign = await refused({ site: 'stranger.example' });
  assert.equal(foreign.code, 'not_found');
  for (const name of ['nowhere.example', '..', '.', '../tokens', '%2e%2e', '\ud800'])
    assert.deepEqual(await refused({ site: name }), foreign, name);
  assert.deepEqual(await refused({ site }, 'overview', app.stranger), foreign);
  assert.deepEqual(await refused({ site, funnel: 9 }, 'funnel'), foreign);
});

test('mcp: an error of query names its arguments', async (t) => {
  const app = await startApp(t, { ...ON, 'rate-limit': '0' });
  const refused = async (given: object, { token } = app.owner) => {
    const { status, isError, content } = await call(app, token, 'query', given);
    assert.deepEqual([status, isError], [200, true], JSON.stringify(given));
    return JSON.parse(content[0].text).error;
  };
  const site = 'example.com';
  const cases: [given: object, field: string, says: RegExp][] = [
    [{}, 'site', /required/],
    [{ site, rnage: '7d' }, 'rnage', /^This is unknown\. Known: site, range, by, metrics, filters, any, goal/],
    [{ site, interval: 'day' }, 'interval', /unknown/],
    [{ site, by: 'country' }, 'by', /^Must be a list/],
    [{ site, by: ['contry'] }, 'by.0', /^Must be one of page, .*property:NAME/],
    [{ site, by: ['page'], metrics: ['bounce_rate'] }, 'metrics', /They have visitors, .*time_on_page/],
    [{ site, metrics: [] }, 'metrics', /at least one value/],
    [{ site, filters: ['DE'] }, 'filters.0', /unknown/],
    [{ site, filters: 'DE' }, 'filters', /object/],
    [{ site, filters: { county: 'DE' } }, 'filters.county', /Known: page, event, /],
    [{ site, filters: { page: { likes: ['/'] } } }, 'filters.page.likes', /Known: is, not, like, unlike/],
    [{ site, filters: { country: { is: ['Germany'] } } }, 'filters.country.is.0', /two letters/],
    [{ site, filters: { country: {} } }, 'filters.country', /at least one value/],
    [{ site, filters: { constructor: 'x' } }, 'filters.constructor', /unknown/],
    [{ site, any: { country: 'DE' } }, 'any', /^Must be a list/],
    [{ site, any: [{ county: 'DE' }] }, 'any.0.county', /Known: page/],
    [{ site, any: [{ page: { constructor: ['/'] } }] }, 'any.0.page.constructor', /Known: is/],
    [{ site, any: [{}] }, 'any.0', /at least one filter/],
    [{ site, any: [{ 'property:plan': { is: 'pro' } }] }, 'any.0.property:plan.is', /lists/],
    [{ site, sort: 'pageviews' }, 'sort', /Must be one of visitors/],
    [{ site, limit: 0 }, 'limit', /1 to 10000/],
    [{ site, by: ['day'], compare: 'previous' }, 'compare', /cannot be compared/],
  ];
  for (const [given, field, says] of cases) {
    const { fields } = await refused(given);
    assert.match(fields?.[field] ?? JSON.stringify(fields), says, JSON.stringify(given));
  }
  const foreign = await refused({ site: 'stranger.example' });
  assert.equal(foreign.code, 'not_found');
  for (const name of ['nowhere.example', '..', '../tokens'])
    assert.deepEqual(await refused({ site: name }), foreign, name);
  assert.deepEqual(await refused({ site }, app.stranger), foreign);
});

test('mcp: query answers what the API answers, for everybody who may read the site', async (t) => {
  const app = await startApp(t, ON);
  await visited(app);
  const body = {
    range: 'today',
    by: ['country', 'page', 'hour'],
    metrics: ['visitors', 'pageviews'],
    any: [{ page: { like: ['/blog/*'] } }, { country: 'DE' }],
    order: 'asc',
  };
  for (const person of [app.owner, app.manager, app.viewer]) {
    const own = await person.ask('POST', '/sites/example.com/query', body);
    const { structuredContent } = await call(app, person.token, 'query', { site: 'example.com', ...body });
    assert.deepEqual(structuredContent.data, own.body.data);
    assert.equal(structuredContent.data.rows[0].metrics.visitors, 2);
    assert.match(structuredContent.definitions.visitors, /one day of the site/);
  }
});

test('searches on Google are a tool for all who may read the site, and say that they are no visits', async (t) => {
  const app = await startApp(t, ON);
  const { clock, db, siteId } = app;
  const day = Math.floor(clock.now() / 86_400_000) - 3;
  const row = { clicks: 8, impressions: 100, places: 125_000, firstDay: day, lastDay: day };
  db.write(() => addSearches(db, siteId, [{ ...row, kind: 'query', name: 'running shoes' }]));
  const given = { site: 'example.com', range: '30d' };
  for (const { token } of [app.owner, app.manager, app.viewer]) {
    const { structuredContent } = await call(app, token, 'google_searches', given);
    const { data, definitions } = structuredContent;
    assert.deepEqual(data.rows, [{ value: 'running shoes', clicks: 8, impressions: 100, ctr: 8, position: 1.25 }]);
    assert.match(definitions.impressions, /differ from visits/);
    assert.match(definitions.ctr, /Percent of impressions/);
    assert.match(definitions.position, /1 is the top/);
    assert.match(definitions.totals, /rare searches.*left_out/);
    const overview = await call(app, token, 'overview', given);
    assert.equal(overview.structuredContent.data.visitors, 0);
  }
  const { isError } = await call(app, app.stranger.token, 'google_searches', given);
  assert.equal(isError, true);
});
