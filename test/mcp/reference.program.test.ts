import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { furnish } from '../support/furnish.ts';
import { program } from '../support/program.ts';

/**
 * A package of its own with a Python environment, 120 MB, which `npm ci` at the top does not fetch, and CI does:
 *
 *     npm ci --ignore-scripts --prefix test/mcp/reference
 *     python3 -m venv test/mcp/reference/venv && test/mcp/reference/venv/bin/pip install -r test/mcp/reference/requirements.txt
 */
const FOLDER = join(import.meta.dirname, 'reference');
const PYTHON = join(FOLDER, 'venv/bin/python');
const isThere = existsSync(join(FOLDER, 'node_modules')) && existsSync(PYTHON);

type Result = { isError?: boolean; content: { text: string }[]; structuredContent?: { data: unknown } };
type Client = {
  connect(transport: object): Promise<void>;
  ping(): Promise<object>;
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
const CLIENTS: Record<string, { load(): Promise<Clients>; options: object; pings: boolean }> = {
  '@modelcontextprotocol/sdk': {
    load: async () => ({
      ...(await inFolder('sdk/dist/esm/client/index.js')),
      ...(await inFolder('sdk/dist/esm/client/streamableHttp.js')),
    }),
    options: {},
    pings: true,
  },
  '@modelcontextprotocol/client, 2026-07-28': {
    load: () => inFolder('client/dist/index.mjs'),
    options: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    // This version has no ping.
    pings: false,
  },
};

const ASK_IN_PYTHON = `
import asyncio, json, sys
import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

async def ask(url, token):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http_client:
        async with streamable_http_client(url, http_client=http_client) as (read, write, *_):
            async with ClientSession(read, write) as session:
                await session.initialize()
                await session.send_ping()
                names = [tool.name for tool in (await session.list_tools()).tools]
                sites = await session.call_tool("sites", {})
                found = {"site": "example.com", "filters": {"country": "DE"}}
                overview = await session.call_tool("overview", found)
                domain = sites.structured_content["data"][0]["domain"]
                asked = {"site": "example.com", "by": ["country"], "filters": {"page": {"like": ["/*"]}}}
                query = await session.call_tool("query", asked)
                rows = query.structured_content["data"]["rows"]
                print(json.dumps([domain, overview.structured_content["data"]["visitors"], rows, "query" in names]))

asyncio.run(ask(*sys.argv[1:]))
`;

test('the reference clients connect, list the tools and ask', async (t) => {
  if (!isThere) return t.skip('the head of this file says how to fetch the reference clients');
  const { serve, db } = program(t);
  const token = await furnish(db);
  const { url } = await serve(['--mcp']);
  const authorized = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  for (const [name, { load, options, pings }] of Object.entries(CLIENTS))
    await t.test(name, async () => {
      const { Client, StreamableHTTPClientTransport } = await load();
      const client = new Client({ name: 'a test', version: '1' }, options);
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), authorized));
      // Hosts ask so whether a server is still there.
      if (pings) await client.ping();
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name, title }) => name === 'overview' && title.startsWith('How many visitors')));
      const site = 'example.com';
      for (const [tool, given] of [
        ['sites', {}],
        ['overview', { site }],
        ['query', { site, range: 'today', by: ['page', 'hour'], filters: { page: { like: ['/*'] } } }],
        ['query', { site, any: [{ country: 'DE' }, { channel: { is: ['Email'] } }], compare: 'previous' }],
        ['breakdown', { site, breakdown: 'properties' }],
        ['all_overview', {}],
        ['days', { site, range: '7d' }],
      ] as const) {
        const { isError, structuredContent } = await client.callTool({ name: tool, arguments: given });
        assert.ok(!isError && structuredContent?.data, tool);
      }
      const refused = await client.callTool({ name: 'overview', arguments: { site: 'nowhere.example' } });
      assert.equal(refused.isError, true);
      assert.match(refused.content[0]?.text ?? '', /not_found/);
      const wrong = await client.callTool({ name: 'query', arguments: { site, by: ['contry'] } });
      assert.match(wrong.content[0]?.text ?? '', /"by\.0":"Must be one of page, /);
      await client.close();
    });
  await t.test('mcp of Python', async () => {
    const { stdout } = await promisify(execFile)(PYTHON, ['-c', ASK_IN_PYTHON, `${url}/mcp`, token]);
    assert.deepEqual(JSON.parse(stdout), ['example.com', 0, [], true]);
  });
});
