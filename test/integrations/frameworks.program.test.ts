/**
 * The frameworks of docs/first-party.md, each in the smallest app that has the block which stands there. Each app is built by the
 * framework's own command and runs in its production server. The frameworks are packages of their own, 625 MB, which `npm ci` at
 * the top does not fetch, and CI does:
 *
 *     npm ci --ignore-scripts --prefix test/first-party/frameworks
 *
 * The apps are in dist beside these packages, because some frameworks take no packages behind a symbolic link.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { blockOf, ROOT, textOf } from '../documents/documents.ts';
import { replaceIn } from '../support/web-servers.ts';
import { freePort, start, untilListening } from './crawled.ts';
import { checkFirstParty, type SetUp } from './first-party.ts';

const PAGE = 'docs/first-party.md';
const FRAMEWORKS = join(ROOT, 'test/first-party/frameworks');
const PLACES = join(FRAMEWORKS, 'dist');
const BIN = join(FRAMEWORKS, 'node_modules/.bin');
const BUILD_MS = 600_000;
const skip = existsSync(BIN) ? false : 'the head of this file says how to fetch the frameworks';

/** How visitors reach the server, with the variables that it then needs. */
type Way = { isBehindProxy: boolean; env?: Record<string, string> };
type Command = [string, ...string[]];
type App = {
  section: string;
  /** The path at which the document says to save the block. */
  saved: string;
  /** The folder for first-party.mjs. */
  beside: string;
  /** Settings and code that the document names. */
  named?: string[];
  /** What the document tells to replace in the block. */
  replaced?: Record<string, string>;
  files: Record<string, string>;
  /** A script, with its arguments. */
  build: Command;
  start: Command;
  ways: Way[];
};

const DIRECTLY: Way = { isBehindProxy: false };
const BEHIND_A_PROXY: Way = { isBehindProxy: true };

const ALLOWED = "security: { allowedDomains: [{ hostname: 'example.com' }] }";
const ROUTE = "route('linen/:name', 'routes/linen.js')";

const NUXT: App = {
  section: 'Nuxt',
  saved: 'server/routes/linen/[name].js',
  beside: 'server/utils',
  files: { 'nuxt.config.mjs': 'export default {};' },
  build: [`${BIN}/nuxt`, 'build'],
  start: ['.output/server/index.mjs'],
  ways: [DIRECTLY],
};
const [NUXT_ADDRESS, FORWARDED] = [
  'getRequestIP(event)',
  "getRequestHeader(event, 'x-forwarded-for')?.split(',').at(-1).trim()",
];

const APPS: App[] = [
  {
    section: 'Next.js',
    saved: 'app/linen/[name]/route.js',
    beside: 'app/linen/[name]',
    files: {
      'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(FRAMEWORKS)} } };`,
    },
    build: [`${BIN}/next`, 'build'],
    start: [`${BIN}/next`, 'start', '-H', '127.0.0.1'],
    ways: [BEHIND_A_PROXY],
  },
  NUXT,
  {
    ...NUXT,
    named: [NUXT_ADDRESS, FORWARDED],
    replaced: { [NUXT_ADDRESS]: FORWARDED },
    ways: [BEHIND_A_PROXY],
  },
  {
    section: 'SvelteKit',
    saved: 'src/routes/linen/[name]/+server.js',
    beside: 'src/lib',
    named: ['ORIGIN', 'ADDRESS_HEADER', 'XFF_DEPTH'],
    files: {
      'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'vite.config.js': `
        import adapter from '@sveltejs/adapter-node';
        import { sveltekit } from '@sveltejs/kit/vite';
        export default { plugins: [sveltekit({ adapter: adapter() })] };`,
    },
    build: [`${BIN}/vite`, 'build'],
    start: ['build/index.js'],
    ways: [
      { isBehindProxy: false, env: { ORIGIN: 'https://example.com' } },
      {
        isBehindProxy: true,
        env: { ORIGIN: 'https://example.com', ADDRESS_HEADER: 'x-forwarded-for', XFF_DEPTH: '1' },
      },
    ],
  },
  {
    section: 'Astro',
    saved: 'src/pages/linen/[name].js',
    beside: 'src',
    named: [ALLOWED],
    files: {
      'astro.config.mjs': `
        import node from '@astrojs/node';
        export default { adapter: node({ mode: 'standalone' }), ${ALLOWED} };`,
    },
    build: [`${BIN}/astro`, 'build'],
    start: ['dist/server/entry.mjs'],
    ways: [BEHIND_A_PROXY],
  },
  {
    section: 'React Router and Remix',
    saved: 'app/routes/linen.js',
    beside: 'app',
    named: [ROUTE],
    files: {
      // React Router installs isbot if the app does not name it.
      'package.json': '{ "type": "module", "dependencies": { "isbot": "5" } }',
      'app/routes.js': `
        import { route } from '@react-router/dev/routes';
        export default [${ROUTE}];`,
      'app/root.jsx': `
        import { Outlet, Scripts } from 'react-router';
        export default () => <html lang="en"><body><Outlet /><Scripts /></body></html>;`,
      'vite.config.js': `
        import { reactRouter } from '@react-router/dev/vite';
        export default { plugins: [reactRouter()] };`,
    },
    build: [`${BIN}/react-router`, 'build'],
    start: [`${BIN}/react-router-serve`, 'build/server/index.js'],
    ways: [BEHIND_A_PROXY],
  },
];

/** Without these, the frameworks send to their makers how they are used. */
const QUIET = { NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };

/** Builds an app in a folder of its own. The server takes the URL of daybook from the variable DAYBOOK. */
function build(t: TestContext, app: App): string {
  mkdirSync(PLACES, { recursive: true });
  const place = mkdtempSync(join(PLACES, 'app-'));
  t.after(() => rmSync(place, { recursive: true, force: true, maxRetries: 9 }));
  for (const name of [app.saved, ...(app.named ?? [])]) assert.ok(textOf(PAGE).includes(`\`${name}\``), name);
  const files = {
    'package.json': '{ "type": "module" }',
    ...app.files,
    [app.saved]: replaceIn(blockOf(PAGE, app.section, 'js'), {
      ...app.replaced,
      "'https://stats.example.com'": 'process.env.DAYBOOK',
    }),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  mkdirSync(join(place, app.beside), { recursive: true });
  copyFileSync(join(ROOT, 'integrations/first-party.mjs'), join(place, app.beside, 'first-party.mjs'));
  const { status, stdout, stderr } = spawnSync(process.execPath, app.build, {
    cwd: place,
    // Next.js runs the block while it builds.
    env: { PATH: process.env.PATH, HOME: place, ...QUIET, DAYBOOK: 'http://127.0.0.1' },
    encoding: 'utf8',
    timeout: BUILD_MS,
  });
  assert.equal(status, 0, stdout + stderr);
  return place;
}

/** Starts the server of an app that is built. */
const serve =
  (t: TestContext, app: App, place: string, env: Way['env']): SetUp =>
  async ({ port: daybook, token }) => {
    const port = await freePort();
    start(t, [process.execPath, ...app.start], place, {
      ...{ ...QUIET, ...env, PORT: String(port), HOST: '127.0.0.1' },
      ...{ DAYBOOK: `http://127.0.0.1:${daybook}`, DAYBOOK_TOKEN: token },
    });
    await untilListening(port);
    return port;
  };

for (const app of APPS) {
  const name = `${app.section}${app.replaced ? ', changed for a proxy,' : ''}`;
  test(`first-party: ${name} forwards the script and its hits`, { skip }, async (t) => {
    const place = build(t, app);
    for (const { isBehindProxy, env } of app.ways)
      for (const hasToken of [true, false]) {
        const way = `${isBehindProxy ? 'behind a proxy' : 'directly'}, ${hasToken ? 'with' : 'without'} a token`;
        await t.test(way, (t) => checkFirstParty(t, serve(t, app, place, env), { hasToken, isBehindProxy }));
      }
  });
}
