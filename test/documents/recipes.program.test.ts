/**
 * Each snippet of docs/recipes.md is run, with the program that it is for where that can be had. Blocks of `sh` are run by
 * examples.program.test.ts. The programs are packages of their own, 900 MB, which `npm ci` at the top does not fetch, and CI does:
 *
 *     npm ci --ignore-scripts --prefix test/recipes
 *     for place in test/recipes test/recipes/home-assistant; do
 *       python3 -m venv $place/venv && $place/venv/bin/pip install -r $place/requirements.txt
 *     done
 *
 * Prometheus is the package of Debian.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { askDuckDb, WITHOUT_DUCKDB } from '../exchange/parquet/duckdb.ts';
import { freePort, start } from '../integrations/crawled.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { COMPILED, program, type Server, until } from '../support/program.ts';
import { type Fence, fencesIn, ROOT, textOf } from './documents.ts';
import { installIn } from './installed.ts';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'test/recipes');
const MODULES = join(FOLDER, 'node_modules');
const BIN = join(FOLDER, 'venv/bin');
const HOME_ASSISTANT = join(FOLDER, 'home-assistant/venv/bin/python');
const METRICS_TOKEN = 'a-token-for-prometheus';

const missing = (path: string): string | false =>
  existsSync(path) ? false : `the head of this file says how to fetch ${path.slice(ROOT.length)}`;
const fromModules = createRequire(join(FOLDER, 'package.json'));

type Row = Record<string, unknown>;
type Metrics = Record<string, number>;
type Asked = { by?: string[]; metrics?: string[]; range?: string; sort?: string; limit?: number };
type Stage = {
  server: Server;
  token: string;
  place: string;
  /** The share link of the site. */
  share(): Promise<string>;
  query(body: Asked): Promise<{ by: (string | number)[]; metrics: Metrics }[]>;
};

/** The site of the documents, and somebody with a token. */
async function stage(t: TestContext): Promise<Stage> {
  const daybook = program(t);
  const server = await daybook.serve(['--docs'], { command: 'demo' });
  const { stdout } = await daybook.run(['token', 'add', 'you@example.com', '--name', 'x', '--abilities', 'read']);
  const token = stdout.trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  async function query(body: Asked) {
    const url = `${server.url}/api/v1/sites/example.com/query`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { data: { rows: Awaited<ReturnType<Stage['query']>> } }).data.rows;
  }
  async function share(): Promise<string> {
    const added = await daybook.run(['token', 'add', 'you@example.com', '--name', 'y', '--abilities', 'read,write']);
    const asked = { method: 'PATCH', headers: { ...headers, authorization: `Bearer ${added.stdout.trim()}` } };
    const answer = await fetch(`${server.url}/api/v1/sites/example.com`, { ...asked, body: '{ "shared": true }' });
    return ((await answer.json()) as { data: { share_url: string } }).data.share_url;
  }
  return { server, token, place: daybook.folder, share, query };
}

/** The blocks below each heading, without those that another test runs. */
const SECTIONS = new Map(
  textOf('docs/recipes.md')
    .split(/^## /m)
    .slice(1)
    .map((text): [string, Fence[]] => [
      text.slice(0, text.indexOf('\n')),
      fencesIn(text).filter(({ language }) => language !== 'sh' && language !== 'text'),
    ]),
);

function blocksOf<Language extends string>(section: string, ...languages: Language[]): Record<Language, string> {
  const fences = SECTIONS.get(section) ?? [];
  assert.deepEqual(
    fences.map(({ language }) => language),
    languages,
    section,
  );
  return Object.fromEntries(fences.map(({ language, code }) => [language, code])) as Record<Language, string>;
}

const TRIED = [
  'Grafana',
  'Prometheus',
  'Homepage',
  'Glance',
  'Home Assistant',
  'Datasette',
  'DuckDB',
  'pandas',
  'Observable',
  'Evidence',
];

test('recipes: each snippet of the page is run by a test', () => {
  const withBlocks = [...SECTIONS].filter(([, fences]) => fences.length > 0).map(([name]) => name);
  assert.deepEqual(withBlocks, TRIED);
});

type Panels = { panels: { targets: { expr: string }[] }[] };
type Target = {
  url: string;
  url_options: { method: string; body_type: string; body_content_type: string; data: string };
  root_selector: string;
  columns: { selector: string; text: string; type: string }[];
};

test('recipes: the panels of Grafana ask what daybook answers, and their selectors find each column', {
  skip: missing(join(MODULES, 'jsonata')),
}, async (t) => {
  const { server, token } = await stage(t);
  const dashboard = JSON.parse(textOf('deploy/grafana-dashboard.json'));
  const jsonata = fromModules('jsonata') as (selector: string) => { evaluate(input: unknown): Promise<unknown> };
  const days: Record<string, string> = { from: '2026-03-01', to: '2026-03-10' };
  const fill = (text: string) =>
    text
      .replaceAll(/\$\{__(from|to):date:YYYY-MM-DD\}/g, (_, end: string) => days[end] ?? '')
      .replaceAll('$' + '{site}', 'example.com');
  const ask = async (path: string, body: string, selector: string): Promise<Row[]> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(server.url + fill(path), { method: 'POST', headers, body: fill(body) });
    assert.equal(answer.status, 200, await answer.clone().text());
    const rows = (await jsonata(selector).evaluate(await answer.json())) as Row[];
    assert.ok(Array.isArray(rows) && rows.length > 0, selector);
    return rows;
  };
  for (const { title, targets } of dashboard.panels as { title: string; targets: Target[] }[]) {
    for (const { url, url_options: options, root_selector: selector, columns } of targets) {
      assert.deepEqual(
        [options.method, options.body_type, options.body_content_type],
        ['POST', 'raw', 'application/json'],
      );
      const [row = {}] = await ask(url, options.data, selector);
      assert.deepEqual(columns.map((column) => column.selector).sort(), Object.keys(row).sort(), title);
      for (const { selector: name, type } of columns) {
        if (type === 'number') assert.ok(row[name] === null || typeof row[name] === 'number', `${title}: ${name}`);
        else assert.equal(typeof row[name], 'string', `${title}: ${name}`);
        if (type === 'timestamp') assert.match(String(row[name]), /^\d{4}-\d\d-\d\d$/);
      }
    }
  }
  const { json, jsonata: selector } = blocksOf('Grafana', 'json', 'jsonata');
  const rows = await ask('/api/v1/sites/example.com/query', json, selector);
  assert.deepEqual(Object.keys(rows[0] ?? {}), ['week', 'device', 'visitors']);
});

const DASHBOARDS = ['deploy/grafana-dashboard.json', 'deploy/cluster/grafana-dashboard.json'];

test("recipes: each dashboard has the types of Grafana's schema", {
  skip: missing(join(MODULES, '@grafana/schema')),
}, async (t) => {
  const place = folder(t);
  symlinkSync(MODULES, join(place, 'node_modules'));
  const check = async (content: object) => {
    // The mode of thresholds is an enum, and TypeScript takes no text for its value.
    const json = JSON.stringify(content).replaceAll('"mode":"absolute"', '"mode":ThresholdsMode.Absolute');
    const text = `import { type Dashboard, ThresholdsMode } from '@grafana/schema';\nexport const dashboard: Dashboard = ${json};\n`;
    writeFileSync(join(place, 'dashboard.ts'), text);
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '', 'dashboard.ts'];
    return run(join(ROOT, 'node_modules/.bin/tsc'), flags, { cwd: place });
  };
  for (const path of DASHBOARDS) {
    const { __inputs: _, __requires: __, ...dashboard } = JSON.parse(textOf(path));
    await check(dashboard);
    await assert.rejects(check({ ...dashboard, schemaVersion: 'old' }), {
      stdout: /'string' is not assignable to type 'number'/,
    });
  }
});

test('recipes: Prometheus reads the metrics, and its rules have values', {
  skip: spawnSync('prometheus', ['--version']).error ? 'prometheus is not installed' : false,
}, async (t) => {
  const { db, folder: place, serve } = program(t);
  await furnish(db);
  const server = await serve(['--metrics-token', METRICS_TOKEN]);
  const settings = textOf('deploy/prometheus.yml')
    .replace('scheme: https', 'scheme: http')
    .replaceAll('/etc/prometheus/daybook-token', join(place, 'token'))
    .replaceAll('stats.example.com', new URL(server.url).host)
    .replace(/(_interval): 30s/g, '$1: 1s');
  writeFileSync(join(place, 'token'), METRICS_TOKEN);
  writeFileSync(join(place, 'prometheus.yml'), settings);
  cpSync(join(ROOT, 'deploy/prometheus-rules.yml'), join(place, 'prometheus-rules.yml'));
  await run('promtool', ['check', 'config', join(place, 'prometheus.yml')]);
  const port = await freePort();
  const flags = [`--config.file=prometheus.yml`, `--storage.tsdb.path=${join(place, 'prometheus')}`];
  const prometheus = start(t, ['prometheus', ...flags, `--web.listen-address=127.0.0.1:${port}`], place);
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined);
    return answer?.ok ? ((await answer.json()) as { data: never }).data : undefined;
  };
  type Sample = { value: [number, string] };
  const findValue = async (query: string) => {
    const found = (await ask(`query?query=${encodeURIComponent(query)}`)) as { result: Sample[] } | undefined;
    return found?.result[0]?.value[1];
  };
  await until('Prometheus reads daybook', async () => (await findValue('up{job="daybook"}')) === '1');
  await until('the rule has a value', async () => (await findValue('daybook:hits:rate5m')) !== undefined);
  assert.ok(Number(await findValue('daybook_file_bytes')) > 0);
  const { promql } = blocksOf('Prometheus', 'promql');
  assert.ok(await ask(`query?query=${encodeURIComponent(promql)}`), 'the query of the page is valid');
  type Rule = { name: string; health: string; query: string };
  const { groups } = (await ask('rules')) as unknown as { groups: { rules: Rule[] }[] };
  const metrics = await (
    await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text();
  const assertKnown = (query: string) => {
    for (const [metric] of query.matchAll(/\bdaybook_\w+/g)) assert.ok(metrics.includes(`# TYPE ${metric} `), metric);
  };
  for (const { name, health, query } of groups.flatMap(({ rules }) => rules)) {
    assert.equal(health, 'ok', name);
    assertKnown(query);
  }
  const { panels } = JSON.parse(textOf('deploy/cluster/grafana-dashboard.json')) as Panels;
  for (const { expr } of panels.flatMap(({ targets }) => targets)) {
    assert.ok(await ask(`query?query=${encodeURIComponent(expr)}`), expr);
    assertKnown(expr);
  }
  await prometheus.stop();
});

const OURS = 'https://stats.example.com';

/** Follows the keys of a field of Homepage: `{ data: visitors }` is `data.visitors`. */
const follow = (field: unknown, data: unknown): unknown => {
  if (typeof field !== 'object' || field === null) return (data as Row)[String(field)];
  const [[key, rest] = ['', undefined]] = Object.entries(field);
  return follow(rest, (data as Row)[key]);
};

test('recipes: the fields of the widget of Homepage are in the answer', {
  skip: missing(join(MODULES, 'yaml')),
}, async (t) => {
  const { server, token } = await stage(t);
  const { yaml } = blocksOf('Homepage', 'yaml');
  const { parse } = fromModules('yaml') as { parse(text: string): never };
  const [{ Websites }] = parse(
    yaml.replaceAll('1|secret', token).replace(`url: ${OURS}`, `url: ${server.url}`),
  ) as unknown as [{ Websites: [Record<string, { widget: Widget }>] }];
  type Widget = {
    type: string;
    url: string;
    headers: Record<string, string>;
    mappings: { label: string; field: unknown; format: string }[];
  };
  const { type, url, headers, mappings } = Object.values(Websites[0])[0]?.widget ?? assert.fail();
  assert.equal(type, 'customapi');
  const answer = await (await fetch(url, { headers })).json();
  for (const { label, field, format } of mappings) {
    assert.ok(['text', 'number', 'float', 'percent'].includes(format), format);
    assert.equal(typeof follow(field, answer), 'number', label);
  }
});

test('recipes: the frames of Homepage and Glance show the widget of a share link, and Glance finds its figure', {
  skip: missing(join(MODULES, 'yaml')),
}, async (t) => {
  const { server, token, share } = await stage(t);
  const slug = (await share()).split('/').at(-1) ?? '';
  const { parse } = fromModules('yaml') as { parse(text: string): never };
  const blockOf = (name: string): unknown =>
    parse(
      blocksOf(name, 'yaml').yaml.replaceAll('1|secret', token).replaceAll(OURS, server.url).replaceAll('SLUG', slug),
    );
  const [{ Websites }] = blockOf('Homepage') as [{ Websites: Record<string, { widget: { src: string } }>[] }];
  const [frame, custom] = blockOf('Glance') as [
    { type: string; source: string },
    { url: string; headers: Record<string, string>; template: string },
  ];
  for (const source of [Object.values(Websites[1] ?? {})[0]?.widget.src, frame.source]) {
    const page = await fetch(source ?? '');
    assert.equal(page.status, 200, source);
    assert.match(await page.text(), /<dt>Today<\/dt>/);
  }
  const answer = (await (await fetch(custom.url, { headers: custom.headers })).json()) as {
    data: { visitors: number };
  };
  assert.match(custom.template, /\{\{ \.JSON\.Int "data\.visitors" \| formatNumber \}\}/);
  assert.equal(typeof answer.data.visitors, 'number');
});

test('recipes: Home Assistant has the visitors as a sensor', { skip: missing(HOME_ASSISTANT) }, async (t) => {
  const { server, token, place, query } = await stage(t);
  const settings = join(place, 'settings');
  mkdirSync(settings);
  writeFileSync(
    join(settings, 'configuration.yaml'),
    blocksOf('Home Assistant', 'yaml').yaml.replace(OURS, server.url).replace('range=today', 'range=7d'),
  );
  writeFileSync(join(settings, 'secrets.yaml'), `daybook: Bearer ${token}\n`);
  const script = join(FOLDER, 'home_assistant.py');
  const { stdout } = await run(HOME_ASSISTANT, [script, settings, 'sensor.visitors_today']);
  const [state, attributes] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const [row] = await query({ metrics: ['visitors', 'pageviews'], range: '7d' });
  assert.equal(Number(state), row?.metrics.visitors);
  assert.deepEqual(
    [attributes.pageviews, attributes.unit_of_measurement, attributes.state_class],
    [row?.metrics.pageviews, 'visitors', 'measurement'],
  );
});

/** A shell in the folder of the file, with `daybook` and the programs of Python. */
function shell({ place }: Stage) {
  const env = { ...COMPILED, PATH: `${installIn(place)}:${BIN}:/usr/bin:/bin` };
  return (script: string) => run('bash', ['-euo', 'pipefail', '-c', script], { cwd: place, env });
}

test('recipes: Datasette answers queries about the exported visits', {
  skip: missing(join(BIN, 'datasette')),
}, async (t) => {
  const staged = await stage(t);
  const { bash } = blocksOf('Datasette', 'bash');
  const [install, load, serve] = bash.trim().split('\n') as [string, string, string];
  assert.equal(install, 'pip install datasette sqlite-utils');
  const say = shell(staged);
  await say(load);
  const sql = encodeURIComponent(
    'select country, count(*) as visits from visits group by country order by visits desc',
  );
  const { stdout } = await say(`${serve} --get '/visits.json?sql=${sql}&_shape=array'`);
  const expected = await staged.query({ by: ['country'], metrics: ['visits'], range: 'all', sort: 'visits' });
  assert.deepEqual(
    JSON.parse(stdout),
    expected.map(({ by: [country], metrics }) => ({ country, visits: metrics.visits })),
  );
});

const EXPORT = 'daybook export example.com --format parquet --to parquet';

test('recipes: DuckDB counts from the files what the API counts', { skip: WITHOUT_DUCKDB }, async (t) => {
  const staged = await stage(t);
  await shell(staged)(EXPORT);
  const { sql } = blocksOf('DuckDB', 'sql');
  const found = await askDuckDb(sql.replace('parquet/', `${staged.place}/parquet/`));
  const expected = await staged.query({ by: ['country'], metrics: ['visitors', 'pageviews'], range: 'all' });
  assert.deepEqual(
    found.map(({ country, visitors, pageviews }) => [country, Number(visitors), Number(pageviews)]),
    expected.map(({ by: [country], metrics }) => [country, metrics.visitors, metrics.pageviews]),
  );
});

test('recipes: pandas counts from the files what the API counts', { skip: missing(join(BIN, 'python')) }, async (t) => {
  const staged = await stage(t);
  const say = shell(staged);
  await say(EXPORT);
  const { python } = blocksOf('pandas', 'python');
  writeFileSync(join(staged.place, 'count.py'), python.replace(/^print\((.*)\)$/m, 'print($1.to_json())'));
  const { stdout } = await say(`${BIN}/python count.py`);
  const expected: Record<string, Metrics> = {};
  for (const { by, metrics } of await staged.query({ by: ['week', 'channel'], range: 'all' })) {
    const [week, channel] = by as [string, string];
    expected[channel] = { ...expected[channel], [week]: metrics.visitors as number };
  }
  const found: Record<string, Metrics> = JSON.parse(stdout);
  assert.deepEqual(found, expected);
});

/** A project with the client, as `npm install` would put it there. */
async function project(place: string): Promise<string> {
  const client = join(place, 'project/node_modules/daybook-client');
  mkdirSync(dirname(client), { recursive: true });
  cpSync(join(ROOT, 'client/package.json'), join(client, 'package.json'), { recursive: true });
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(ROOT, 'client'), '--outDir', join(client, 'dist')]);
  writeFileSync(join(place, 'project/package.json'), '{"type": "module", "private": true}');
  return join(place, 'project');
}

const inProject = ({ server, token }: Stage, cwd: string) => ({
  cwd,
  env: { ...process.env, DAYBOOK_URL: server.url, DAYBOOK_TOKEN: token },
});

async function expectedOf({ query }: Stage) {
  const rows = await query({ by: ['week', 'channel'], metrics: ['visitors'], limit: 10_000 });
  return rows.map(({ by: [week, channel], metrics }) => ({ week, channel, ...metrics }));
}

test('recipes: Observable Framework builds a page with the figures', {
  skip: missing(join(MODULES, '@observablehq/framework')),
}, async (t) => {
  const staged = await stage(t);
  const place = await project(staged.place);
  const { js, md } = blocksOf('Observable', 'js', 'md');
  mkdirSync(join(place, 'src'));
  writeFileSync(join(place, 'src/channels.json.js'), js);
  const options = inProject(staged, place);
  const loaded = await run(process.execPath, ['src/channels.json.js'], options);
  assert.deepEqual(JSON.parse(loaded.stdout), await expectedOf(staged));
  const bin = join(MODULES, '@observablehq/framework/dist/bin/observable.js');
  /** False if the build cannot fetch the libraries of the page, which come from elsewhere. */
  async function build(page: string): Promise<boolean> {
    writeFileSync(join(place, 'src/index.md'), page);
    try {
      await run(process.execPath, [bin, 'build'], options);
      return true;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      assert.match(stdout + stderr, /fetch failed/);
      return false;
    }
  }
  const withoutPlot = md.replace(/^\$\{Plot.*$/m, '$${channels.length}');
  assert.notEqual(withoutPlot, md);
  if (!(await build(md))) {
    t.diagnostic('Plot cannot be fetched here, so the page is built without it');
    if (!(await build(withoutPlot))) return t.skip('the libraries of the page cannot be fetched here');
  }
  const page = readFileSync(join(place, 'dist/index.html'), 'utf8');
  const [, file = ''] = /"path":"\.(\/_file\/channels\.\w+\.json)"/.exec(page) ?? [];
  assert.deepEqual(JSON.parse(readFileSync(join(place, 'dist', file), 'utf8')), await expectedOf(staged));
});

test('recipes: the connector of Evidence reads the figures', {
  skip: missing(join(MODULES, '@evidence-dev/source-javascript')),
}, async (t) => {
  const staged = await stage(t);
  const place = await project(staged.place);
  mkdirSync(join(place, 'sources/daybook'), { recursive: true });
  writeFileSync(join(place, 'sources/daybook/channels.js'), blocksOf('Evidence', 'js').js);
  writeFileSync(
    join(place, 'read.js'),
    `import { getRunner } from '${join(MODULES, '@evidence-dev/source-javascript/index.js')}';
    console.log(JSON.stringify(await getRunner()('', process.cwd() + '/sources/daybook/channels.js')));`,
  );
  const { stdout } = await run(process.execPath, ['read.js'], inProject(staged, place));
  const { rows, columnTypes } = JSON.parse(stdout);
  assert.deepEqual(rows, await expectedOf(staged));
  assert.deepEqual(
    (columnTypes as { name: string; evidenceType: string }[]).map(({ name, evidenceType }) => [name, evidenceType]),
    [
      ['week', 'string'],
      ['channel', 'string'],
      ['visitors', 'number'],
    ],
  );
});
