/**
 * Clients that others generate from the served document: each is made, its types are checked, and it asks a running server which sites
 * there are, and for an overview under a filter with two values.
 *
 * The generators are a package of their own with a Python environment, 240 MB, which `npm ci` at the top does not fetch, and CI does:
 *
 *     npm ci --ignore-scripts --prefix test/api/generators
 *     python3 -m venv test/api/generators/venv && test/api/generators/venv/bin/pip install -r test/api/generators/requirements.txt
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { BROWSER, CHROME } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { program } from '../support/program.ts';

const FOLDER = join(import.meta.dirname, 'generators');
const MODULES = join(FOLDER, 'node_modules');
const PYTHON = join(FOLDER, 'venv/bin/python');

const run = promisify(execFile);
const node = (cwd: string, script: string, ...args: string[]) =>
  run(process.execPath, [join(MODULES, script), ...args], { cwd });

/** A generator of TypeScript: how it is called in a folder with the document, and a program that asks with what it made. */
type Generator = { script: string; args: string[]; ask: string };

const PLACE = 'const [url = "", token = ""] = process.argv.slice(2);';
const SAY = (site: string, visitors: string) => `console.log(JSON.stringify([${site}, ${visitors}]));`;

const GENERATORS: Record<string, Generator> = {
  'openapi-typescript': {
    script: 'openapi-typescript/bin/cli.js',
    args: ['openapi.json', '-o', 'made.ts'],
    ask: `
      import createClient from 'openapi-fetch';
      import type { components, paths } from './made.ts';
      ${PLACE}
      const { GET } = createClient<paths>({ baseUrl: url + '/api/v1', headers: { authorization: 'Bearer ' + token } });
      const sites = await GET('/sites');
      const site: components['schemas']['Site'] | undefined = sites.data?.data[0];
      const query = { range: 'today', 'filters[page][is]': ['/a', '/b'] };
      const answer = await GET('/sites/{site}/stats/overview', { params: { path: { site: 'example.com' }, query } });
      const overview: components['schemas']['Overview'] | undefined = answer.data?.data;
      ${SAY('site?.domain', 'overview?.visitors')}`,
  },
  '@hey-api/openapi-ts': {
    script: '@hey-api/openapi-ts/bin/run.js',
    args: ['-i', 'openapi.json', '-o', 'made', '-c', '@hey-api/client-fetch'],
    ask: `
      import { getSites, getSitesSiteStatsOverview, type Overview, type Site } from './made';
      import { client } from './made/client.gen';
      ${PLACE}
      client.setConfig({ baseUrl: url + '/api/v1', auth: token });
      const sites = await getSites({ throwOnError: true });
      const site: Site | undefined = sites.data.data[0];
      const query = { range: 'today', 'filters[page][is]': ['/a', '/b'] };
      const answer = await getSitesSiteStatsOverview({ path: { site: 'example.com' }, query, throwOnError: true });
      const overview: Overview = answer.data.data;
      ${SAY('site?.domain', 'overview.visitors')}`,
  },
  'swagger-typescript-api': {
    script: 'swagger-typescript-api/dist/cli.mjs',
    args: ['generate', '-p', 'openapi.json', '-o', '.', '-n', 'made.ts'],
    ask: `
      import { Api, type Overview, type Site } from './made';
      ${PLACE}
      const baseApiParams = { headers: { authorization: 'Bearer ' + token }, format: 'json' as const };
      const { sites } = new Api({ baseUrl: url + '/api/v1', baseApiParams });
      const all = await sites.getSites();
      const site: Site | undefined = all.data.data[0];
      const query = { range: 'today', 'filters[page][is]': ['/a', '/b'] };
      const overview: Overview = (await sites.getSitesSiteStatsOverview('example.com', query)).data.data;
      ${SAY('site?.domain', 'overview.visitors')}`,
  },
};

const ASK_IN_PYTHON = `
import json, sys
from made import AuthenticatedClient
from made.api.sites import get_sites
from made.api.statistics import get_sites_site_stats_overview
from made.models import Overview, Site

url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=url + "/api/v1", token=token)
site = get_sites.sync(client=client).data[0]
assert isinstance(site, Site)
overview = get_sites_site_stats_overview.sync("example.com", client=client, range_="today", filterspageis=["/a", "/b"]).data
assert isinstance(overview, Overview) and isinstance(overview.visitors, int)
print(json.dumps([site.domain, overview.visitors]))
`;

/** A folder with the document, in which TypeScript finds the packages of the generators. */
function placeIn(base: string, name: string, document: string): string {
  const place = join(base, name.replaceAll(/\W/g, '-'));
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'openapi.json'), document);
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  symlinkSync(MODULES, join(place, 'node_modules'));
  return place;
}

/** As a project of today that a bundler packs. */
const TSCONFIG = {
  compilerOptions: {
    ...{
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
    },
    ...{ lib: ['es2024', 'dom', 'dom.iterable'], types: [], allowImportingTsExtensions: true },
  },
  include: ['ask.ts', 'process.d.ts'],
};

async function askInTypeScript(place: string, { script, args, ask }: Generator, asking: string[]): Promise<unknown> {
  await node(place, script, ...args);
  writeFileSync(join(place, 'ask.ts'), ask);
  writeFileSync(join(place, 'process.d.ts'), 'declare const process: { argv: string[] };');
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await node(place, 'typescript/bin/tsc', '-p', '.');
  const outfile = join(place, 'ask.mjs');
  await build({ entryPoints: [join(place, 'ask.ts')], bundle: true, format: 'esm', platform: 'node', outfile });
  return JSON.parse((await run(process.execPath, [outfile, ...asking])).stdout);
}

async function askInPython(place: string, asking: string[]): Promise<unknown> {
  const args = ['generate', '--path', 'openapi.json', '--output-path', 'made', '--meta', 'none', '--fail-on-warning'];
  const PATH = join(FOLDER, 'venv/bin');
  await run(join(PATH, 'openapi-python-client'), args, { cwd: place, env: { ...process.env, PATH } });
  writeFileSync(join(place, 'ask.py'), ASK_IN_PYTHON);
  return JSON.parse((await run(PYTHON, ['ask.py', ...asking], { cwd: place })).stdout);
}

test('clients that are generated from the served document ask a server', async (t) => {
  if (!existsSync(MODULES) || !existsSync(PYTHON)) return t.skip('the head of this file says how to fetch them');
  const { serve, db } = program(t);
  const token = await furnish(db);
  const { url } = await serve();
  for (const page of ['/a', '/b', '/c']) {
    const body = JSON.stringify({ site: 'example.com', url: `https://example.com${page}` });
    const headers = { ...BROWSER, 'user-agent': `${CHROME} ${page}` };
    assert.equal((await fetch(`${url}/day`, { method: 'POST', headers, body })).status, 202);
  }
  const document = await (await fetch(`${url}/api/v1/openapi.json`)).text();
  const base = folder(t);
  const expected = ['example.com', 2];
  for (const [name, generator] of Object.entries(GENERATORS)) {
    await t.test(name, async () => {
      assert.deepEqual(await askInTypeScript(placeIn(base, name, document), generator, [url, token]), expected);
    });
  }
  await t.test('openapi-python-client', async () => {
    assert.deepEqual(await askInPython(placeIn(base, 'python', document), [url, token]), expected);
  });
});
