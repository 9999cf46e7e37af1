// The command `daybook demo` runs a server with made-up sites. There are three kinds of demo.
//
// * `demo`: two sites with two years of hits. Made-up visitors arrive while the demo runs.
// * `demo --docs`: the sample site that the examples of the documents use. Readers can run these examples on it.
// * `demo --public`: the two sites for anybody on the web. People need not sign in, and cannot change anything. Each
//   hour, a new server starts.
//
// Invariant: each start of a demo makes the same past, because the seed of the random numbers is fixed
// (test/cli/demo.long.test.ts). The database file of a demo is deleted at the end, unless --db names it. src/demo makes
// the past and the visitors.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Daybook } from '../compose.ts';
import { type Config, withPort } from '../config.ts';
import { BAKERY } from '../demo/bakery.ts';
import { dice } from '../demo/dice.ts';
import { DOCS } from '../demo/docs.ts';
import { addGuest, furnish } from '../demo/furnish.ts';
import { makeCrawls, makeDrops, makeHits } from '../demo/past.ts';
import { findNextReset, waitUntil } from '../demo/reset.ts';
import { furnishSample, makeSampleHits } from '../demo/sample.ts';
import type { Scenario } from '../demo/scenario.ts';
import { trickle } from '../demo/trickle.ts';
import type { Engine } from '../engine/engine.ts';
import type { ParsedHit } from '../exchange/reading/file-hits.ts';
import { spool } from '../exchange/reading/spool.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { makeLinkSecret } from '../lib/secrets.ts';
import { findZone, UTC } from '../lib/zone.ts';
import { type Command, type Invocation, now, withEngine } from './command.ts';
import { serve } from './serve.ts';

const SCENARIOS = [BAKERY, DOCS];
/**
 * The seed of the demo's random numbers. The seed is fixed, so each start makes the same past
 * (test/cli/demo.long.test.ts).
 */
export const SEED = 1;
/** The number of ports that the demo tries, to find a free one. */
const PORTS = 20;
/** API requests per minute in the public demo, if the settings have no limit. */
const RATE_LIMIT = 120;

/**
 * A clock that never moves. An import measures time on its clock and pauses now and then, so that a running server can
 * write to the same file. The demo needs no pauses, because no server has opened its new file yet.
 */
const NO_PAUSES = { tick: () => 0 };

type Filling = { siteId: number; timeZone: string; hits: Iterable<ParsedHit>; path: string };

async function importHits(engine: Engine, { siteId, timeZone, hits, path }: Filling): Promise<void> {
  const spooled = spool(`${path}.demo-${process.pid}`);
  try {
    for (const hit of hits) spooled.add(hit);
    const today = findZone(timeZone).dayAt(now());
    await engine.imports.add(siteId, spooled.content(today, timeZone), { replace: false, pace: NO_PAUSES });
  } finally {
    spooled.close();
  }
}

async function fillSite(
  engine: Engine,
  { id: siteId, scenario }: { id: number; scenario: Scenario },
  path: string,
): Promise<void> {
  const { timeZone } = scenario;
  const past = { scenario, dice: dice(SEED + siteId), today: findZone(timeZone).dayAt(now()) };
  await importHits(engine, { siteId, timeZone, hits: makeHits(past, now()), path });
  const crawls = [...makeCrawls(past)].map((crawl) => ({ siteId, ...crawl }));
  const drops = [...makeDrops(past)].map((drop) => ({ siteId, ...drop }));
  await engine.intake.append({ crawls, drops });
}

/**
 * Makes the database file of a demo. Returns the id of the owner of the sites. With `hasGuest`, also adds a user, the
 * guest, and returns the guest's id. In the public demo, everybody acts as the guest.
 */
async function makeFile(config: Config, hasGuest: boolean): Promise<{ owner: number; guest: number | undefined }> {
  let guest: number | undefined;
  let owner = 0;
  await withEngine(
    config,
    async ({ db, engine }) => {
      const { userId, accountId, sites } = furnish(db, SCENARIOS, { now: now(), slug: makeLinkSecret(randomBytes) });
      owner = userId;
      for (const site of sites) await fillSite(engine, site, config.db);
      if (hasGuest) guest = addGuest(db, { accountId, now: now(), secret: makeLinkSecret(randomBytes) });
    },
    { create: true },
  );
  return { owner, guest };
}

/** Makes the database file of the documents. Returns the id of its user. */
async function makeSampleFile(config: Config): Promise<number> {
  let owner = 0;
  await withEngine(
    config,
    async ({ db, engine }) => {
      const { userId, siteId } = furnishSample(db, now());
      owner = userId;
      await importHits(engine, { siteId, timeZone: UTC, hits: makeSampleHits(now()), path: config.db });
    },
    { create: true },
  );
  return owner;
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });

async function freePort({ port, host }: Config): Promise<number> {
  for (let candidate = port; candidate < port + PORTS; candidate++) if (await isFree(candidate, host)) return candidate;
  throw new Refusal(`none of the ports from ${port} to ${port + PORTS - 1} is free. Choose another --port`);
}

const sendVisits = async ({ collector }: Daybook, stop: AbortSignal): Promise<void> => {
  await Promise.all(SCENARIOS.map((scenario, i) => trickle({ scenario, collector, dice: dice(now() + i), stop }, now)));
};

const makeEntry = (userId: number) => ({ secret: makeLinkSecret(randomBytes), userId });

const deleteFile = (db: string): void => {
  for (const end of ['', '-wal', '-shm', '.lock']) rmSync(db + end, { force: true });
};

function assertNew(db: string): void {
  if (existsSync(db)) throw new Refusal(`${db}: the file exists already. Name a new file`);
}

const EXPLAINED = 'Generating two years of visits to two sites. This takes a few seconds …';

async function runPlain(invocation: Invocation, config: Config): Promise<void> {
  invocation.io.explain(EXPLAINED);
  const { owner } = await makeFile(config, false);
  await serve({ ...invocation, config }, { entry: makeEntry(owner), meanwhile: sendVisits });
}

async function runDocs(invocation: Invocation, config: Config): Promise<void> {
  try {
    const owner = await makeSampleFile(config);
    invocation.io.explain('Run the examples of the documents in this folder, in another terminal.');
    await serve({ ...invocation, config: { ...config, mcp: true } }, { entry: makeEntry(owner) });
  } finally {
    if (invocation.flags.db === undefined) deleteFile(config.db);
  }
}

/**
 * Makes settings for a demo on the open web. With these settings, the demo sends nothing to anybody and has no secrets.
 */
const makePublic = (config: Config): Config => ({
  ...config,
  rateLimit: config.rateLimit || RATE_LIMIT,
  smtpUrl: undefined,
  webhookUrl: undefined,
  channels: 'none',
  metricsToken: undefined,
  mcp: false,
});

/**
 * Runs the public demo: a new server each hour, with a new file. The file is made while the previous server still
 * answers.
 */
async function runPublic({ io, ...invocation }: Invocation, config: Config): Promise<void> {
  let isStopping = false;
  let stopServer = () => {};
  io.onStop(() => {
    isStopping = true;
    stopServer();
  });
  const ownIo = {
    ...io,
    onStop: (stop: () => void) => {
      stopServer = stop;
    },
  };
  const makeNext = async (round: number) => {
    const own = { ...makePublic(config), db: `${config.db}-${round}` };
    return { own, ...(await makeFile(own, true)) };
  };
  io.explain(EXPLAINED);
  let next = await makeNext(0);
  for (let round = 1; !isStopping; round++) {
    const { own, guest } = next;
    const reset = findNextReset(now());
    await serve(
      { ...invocation, io: ownIo, config: own },
      {
        guest,
        meanwhile: sendVisits,
        until: async (stop) => {
          await waitUntil(reset, now, stop);
          if (!stop.aborted) next = await makeNext(round);
        },
      },
    );
    deleteFile(own.db);
  }
}

async function demo(invocation: Invocation): Promise<void> {
  const { flags, config } = invocation;
  const [isDocs, isPublic] = [flags.docs !== undefined, flags.public !== undefined];
  if (isDocs && isPublic) throw new Refusal('--docs and --public are two demos. Choose one', USAGE);
  if (isPublic && flags.db !== undefined) throw new Refusal('--public keeps no data, so it takes no --db', USAGE);
  const isTemporary = flags.db === undefined && !isDocs;
  const folder = isTemporary ? mkdtempSync(join(tmpdir(), 'daybook-demo-')) : undefined;
  try {
    const db = folder === undefined ? config.db : join(folder, 'demo.db');
    assertNew(db);
    // The examples of the documents contain the port number, so `demo --docs` never looks for another free port.
    const port = flags.port === undefined && !isDocs ? await freePort(config) : config.port;
    const own = { ...withPort(config, port), db, engine: undefined, keepBackups: 0 };
    await (isDocs ? runDocs : isPublic ? runPublic : runPlain)(invocation, own);
  } finally {
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}

export const demoCommands: Command[] = [
  {
    name: 'demo',
    isUntimed: true,
    args: [],
    summary: 'Run a server with two made-up sites, to try the dashboard',
    settings: ['port', 'host', 'base-url', 'trusted-proxies'],
    flags: {
      db: {
        value: 'FILE',
        help: 'keep the data in this new file (default: a temporary one, deleted when the demo ends)',
      },
      docs: { help: 'create the example site of the documentation in a file in this folder, to run its examples' },
      public: {
        help: 'let everyone see the dashboard without signing in. Nobody can change anything, and the demo resets each hour',
      },
    },
    run: demo,
  },
];
