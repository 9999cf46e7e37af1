import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { furnish } from '../furnish.ts';
import { program } from '../program.ts';

/** A package of its own: 47 MB in 108 packages, which `npm ci` at the top does not fetch, and CI does. */
const FOLDER = join(import.meta.dirname, 'reference');
const isThere = existsSync(join(FOLDER, 'node_modules'));

type Result = { isError?: boolean; content: { text: string }[]; structuredContent?: { data: unknown } };
type Client = {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ tools: { name: string; title: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<Result>;
  close(): Promise<void>;
};
type Clients = {
  Client: new (info: object, options: object) => Client;
  StreamableHTTPClientTransport: new (url: URL, options: object) => object;
};

const inFolder = async (path: string): Promise<Clients> =>
  (await import(pathToFileURL(join(FOLDER, 'node_modules/@modelcontextprotocol', path)).href)) as Clients;

/** The client of the versions with a handshake, and that of the one without. */
const CLIENTS: Record<string, { load(): Promise<Clients>; options: object }> = {
  '@modelcontextprotocol/sdk': {
    load: async () => ({
      ...(await inFolder('sdk/dist/esm/client/index.js')),
      ...(await inFolder('sdk/dist/esm/client/streamableHttp.js')),
    }),
    options: {},
  },
  '@modelcontextprotocol/client, 2026-07-28': {
    load: () => inFolder('client/dist/index.mjs'),
    options: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  },
};

test('the reference clients connect, list the tools and ask', async (t) => {
  if (!isThere)
    return t.skip('the reference clients are fetched by npm ci --ignore-scripts --prefix test/mcp/reference');
  const { serve, db } = program(t);
  const token = await furnish(db);
  const { url } = await serve(['--mcp']);
  const authorized = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  for (const [name, { load, options }] of Object.entries(CLIENTS))
    await t.test(name, async () => {
      const { Client, StreamableHTTPClientTransport } = await load();
      const client = new Client({ name: 'a test', version: '1' }, options);
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), authorized));
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name, title }) => name === 'overview' && title.startsWith('How many visitors')));
      // The client holds each answer against the schema of its tool.
      const site = 'example.com';
      for (const [tool, given] of [
        ['sites', {}],
        ['overview', { site }],
        ['timeseries', { site, range: 'today', interval: 'hour' }],
        ['breakdown', { site, breakdown: 'pages', filters: { page: { like: ['/*'] } } }],
        ['all_overview', {}],
        ['days', { site, range: '7d' }],
      ] as const) {
        const { isError, structuredContent } = await client.callTool({ name: tool, arguments: given });
        assert.ok(!isError && structuredContent?.data, tool);
      }
      const refused = await client.callTool({ name: 'overview', arguments: { site: 'nowhere.example' } });
      assert.equal(refused.isError, true);
      assert.match(refused.content[0]?.text ?? '', /not_found/);
      await client.close();
    });
});
