/**
 * The servers in JavaScript and PHP of docs/first-party.md, with the blocks that stand there and integrations/first-party.mjs.
 * Express is a package of its own, which `npm ci` at the top does not fetch, and CI does:
 *
 *     npm ci --ignore-scripts --prefix test/first-party
 *
 * Next.js and the other frameworks have a test of their own, frameworks.program.test.ts.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { transform } from 'esbuild';
import { blockOf, ROOT, textOf } from '../documents/documents.ts';
import { replaceIn } from '../support/web-servers.ts';
import { freePort, start, untilListening } from './crawled.ts';
import { checkFirstParty, type SetUp } from './first-party.ts';

const PAGE = 'docs/first-party.md';
const OURS = 'https://stats.example.com';

/** A server in JavaScript, from the block of a section. `before` and `after` are what stands around the block. */
const node =
  (t: TestContext, section: string, modules: string, [before, after]: [string, string], replaced = {}): SetUp =>
  async ({ folder, port: daybook, token }) => {
    const block = replaceIn(blockOf(PAGE, section, 'js'), { ...replaced, [OURS]: `http://127.0.0.1:${daybook}` });
    copyFileSync(join(ROOT, 'integrations/first-party.mjs'), join(folder, 'first-party.mjs'));
    symlinkSync(modules, join(folder, 'node_modules'));
    const port = await freePort();
    const code = `${before}\n${block}\n${after}`;
    writeFileSync(join(folder, 'server.mjs'), code.replaceAll('PORT', String(port)));
    start(t, [process.execPath, 'server.mjs'], folder, { DAYBOOK_TOKEN: token });
    await untilListening(port);
    return port;
  };

const EXPRESS = join(ROOT, 'test/first-party/node_modules');
const expressMissing = existsSync(EXPRESS) ? false : 'the head of this file says how to fetch Express';

const HONO: [string, string] = [
  "import { serve } from '@hono/node-server';\nimport { Hono } from 'hono';\nconst app = new Hono();",
  "serve({ fetch: app.fetch, port: PORT, hostname: '127.0.0.1' });",
];

for (const hasToken of [true, false]) {
  const how = { hasToken };
  const name = hasToken ? 'with a token' : 'by its IP address';

  test(`first-party: Express forwards the script and its hits, ${name}`, {
    skip: expressMissing,
  }, (t) => {
    const around: [string, string] = [
      "import express from 'express';\nconst app = express();",
      "app.use(express.text());\napp.listen(PORT, '127.0.0.1');",
    ];
    return checkFirstParty(t, node(t, 'Express', EXPRESS, around), how);
  });

  test(`first-party: Hono forwards the script and its hits, ${name}`, (t) => {
    return checkFirstParty(t, node(t, 'Hono', join(ROOT, 'node_modules'), HONO), how);
  });

  test(`first-party: Hono behind a proxy tells the IP address that the proxy knows, ${name}`, (t) => {
    const [from, to] = [
      'visits.hono',
      "(c) => visits.request(c.req.raw, c.req.header('x-forwarded-for')?.split(',').at(-1).trim())",
    ];
    for (const code of [from, to]) assert.ok(textOf(PAGE).includes(`\`${code}\``), code);
    const setUp = node(t, 'Hono', join(ROOT, 'node_modules'), HONO, { [from]: to });
    return checkFirstParty(t, setUp, { ...how, isBehindProxy: true });
  });
}

test('first-party: Express behind a proxy tells the IP address that the proxy knows', {
  skip: expressMissing,
}, async (t) => {
  const around = (settings: string): [string, string] => [
    `import express from 'express';\nconst app = express();\n${settings}`,
    "app.listen(PORT, '127.0.0.1');",
  ];
  await checkFirstParty(t, node(t, 'Express', EXPRESS, around('')), { isBehindProxy: true });
  const trusting = around("app.set('trust proxy', 1);");
  await checkFirstParty(t, node(t, 'Express', EXPRESS, trusting), { isBehindProxy: true, hasToken: true });
});

test(
  'first-party: PHP forwards the script and its hits',
  {
    skip: spawnSync('php', ['-v']).error ? 'php is not installed' : false,
  },
  (t) =>
    checkFirstParty(
      t,
      async ({ folder, port: daybook, token }) => {
        const port = await freePort();
        mkdirSync(join(folder, 'www/linen'), { recursive: true });
        const block = blockOf(PAGE, 'PHP', 'php').replace(OURS, `http://127.0.0.1:${daybook}`);
        writeFileSync(join(folder, 'www/linen/index.php'), block);
        // PHP's own server looks for files, so this does what .htaccess does for Apache.
        const router =
          "<?php if (str_starts_with($_SERVER['REQUEST_URI'], '/linen/')) require 'www/linen/index.php'; else return false;";
        writeFileSync(join(folder, 'router.php'), router);
        start(t, ['php', '-S', `127.0.0.1:${port}`, '-t', 'www', 'router.php'], folder, { DAYBOOK_TOKEN: token });
        await untilListening(port);
        return port;
      },
      { hasToken: true },
    ),
);

/** How each platform calls the code: with the IP address of the visitor, and with its own URLs. From the documents of the platforms. */
const PLATFORMS = {
  Cloudflare: `
    request.headers.set('CF-Connecting-IP', ip);
    return code.default.fetch(request, { DAYBOOK_TOKEN: process.env.DAYBOOK_TOKEN });`,
  Netlify: 'return code.default(request, { ip });',
  Vercel: `
    const name = url.pathname.slice('/linen/'.length);
    if (name.includes('/') || !code[request.method]) return new Response(null, { status: 404 });
    const rewritten = new URL('/api/linen?name=' + name + url.search.replace('?', '&'), url);
    request.headers.set('x-real-ip', ip);
    return code[request.method](new Request(rewritten, request));`,
};

const PLATFORM = `
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
globalThis.Netlify = { env: { get: (name) => process.env[name] } };
const code = await import('./api/linen.mjs');

async function answer(request, ip) {
  const url = new URL(request.url);
  if (!url.pathname.startsWith('/linen/')) return new Response(null, { status: 404 });
  CALL
}

createServer(async (incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const body = method === 'POST' ? await buffer(incoming) : undefined;
  const request = new Request(new URL(url, 'https://example.com'), { method, headers, body });
  const given = await answer(request, incoming.socket.remoteAddress);
  outgoing.writeHead(given.status, Object.fromEntries(given.headers)).end(Buffer.from(await given.arrayBuffer()));
}).listen(PORT, '127.0.0.1');
`;

for (const [section, call] of Object.entries(PLATFORMS))
  test(`first-party: the code for ${section} forwards the script and its hits`, (t) =>
    checkFirstParty(
      t,
      async ({ folder, port: daybook, token }) => {
        const port = await freePort();
        mkdirSync(join(folder, 'api'));
        for (const place of [folder, join(folder, 'api')])
          copyFileSync(join(ROOT, 'integrations/first-party.mjs'), join(place, 'first-party.mjs'));
        const block = blockOf(PAGE, section, 'js');
        assert.ok(block.includes(OURS));
        writeFileSync(join(folder, 'api/linen.mjs'), block.replace(OURS, `http://127.0.0.1:${daybook}`));
        const server = replaceIn(PLATFORM, { CALL: call, PORT: String(port) });
        writeFileSync(join(folder, 'server.mjs'), server);
        start(t, [process.execPath, 'server.mjs'], folder, { DAYBOOK_TOKEN: token });
        await untilListening(port);
        return port;
      },
      { hasToken: true },
    ));

const { forward } = await import(new URL('../../integrations/first-party.mjs', import.meta.url).href);
const SCRIPT = '/linen/ripple';

test('first-party: what forwards sends only what daybook needs, and answers if daybook is down', async () => {
  const port = await freePort();
  const { request } = forward({ server: `http://127.0.0.1:${port}/ignored`, script: SCRIPT });
  const ask = async (method: string, path = SCRIPT, body?: string) =>
    (await request(new Request(`https://example.com${path}`, { method, ...(body && { body }) }), '203.0.113.9')).status;
  assert.deepEqual([await ask('GET', `${SCRIPT}.js`), await ask('POST', SCRIPT, '{}')], [502, 502]);
  assert.deepEqual(
    [await ask('POST', SCRIPT, 'x'.repeat(16_385)), await ask('DELETE'), await ask('GET')],
    [413, 405, 405],
  );
  // These would get 502 if they were forwarded.
  for (const path of ['/', '/day', '/linen/', '/linen/other', `${SCRIPT}/`, '/linen/../api/v1/sites/1/hits', '/mcp']) {
    assert.deepEqual([await ask('GET', path), await ask('POST', path, '[]')], [404, 404], path);
  }
  for (const script of [undefined, '', 'linen', '/linen/', '/linen/..'])
    assert.throws(() => forward({ server: 'https://stats.example.com', script }), /script must be a path/);
});

test('first-party: a request that is not whole, or has an odd method, does not end the web server', async (t) => {
  const { express } = forward({ server: `http://127.0.0.1:${await freePort()}`, script: SCRIPT });
  const over: Promise<void>[] = [];
  const server = createServer((asked, answer) => over.push(express(asked, answer))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const send = async (lines: string[]) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write([...lines, 'Host: example.com', '', ''].join('\r\n'));
    await once(server, 'request');
    return socket;
  };
  (await send([`POST ${SCRIPT} HTTP/1.1`, 'Content-Length: 100'])).destroy();
  (await send([`TRACE ${SCRIPT} HTTP/1.1`])).destroy();
  (await send(['GET http://[ HTTP/1.1'])).destroy();
  // Each rejects if its request has thrown.
  await Promise.all(over);
  assert.equal(over.length, 3);
});

test('first-party: a request that the website has answered meanwhile does not end the web server', async (t) => {
  const { express } = forward({ server: `http://127.0.0.1:${await freePort()}`, script: SCRIPT });
  const over: Promise<unknown>[] = [];
  const server = createServer((asked, answer) => {
    over.push(express(asked, answer));
    // A limit of time, which a slow visitor has reached.
    answer.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  assert.equal((await fetch(`http://127.0.0.1:${port}${SCRIPT}.js`)).status, 503);
  await Promise.all(over);
  assert.equal(over.length, 1);
});

test('first-party: the blocks for the other frameworks are valid code', async () => {
  for (const section of [
    ...['Next.js', 'Nuxt', 'SvelteKit', 'Astro', 'React Router and Remix', 'Cloudflare', 'Netlify', 'Vercel'],
  ]) {
    const block = blockOf(PAGE, section, 'js');
    await transform(block, { loader: 'js' });
    assert.match(block, /import \{ forward \} from '[^']*\/first-party\.mjs';/, section);
  }
  const { rewrites } = JSON.parse(blockOf(PAGE, 'Vercel', 'json'));
  assert.deepEqual(rewrites, [{ source: '/linen/:name', destination: '/api/linen?name=:name' }]);
});
