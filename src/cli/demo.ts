// The command `daybook demo`: a server with two made-up sites and two years of hits. Its folder is deleted at the end.
//
// Every demo has the same past, because it is made from one seed (test/cli/demo.test.ts). While the demo runs, made-up
// visitors arrive, and their number fits the days before. src/demo makes the past and the visitors.

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
import { furnish } from '../demo/furnish.ts';
import { makeCrawls, makeDrops, makeHits } from '../demo/past.ts';
import type { Plan } from '../demo/plan.ts';
import { trickle } from '../demo/trickle.ts';
import type { Engine } from '../engine/engine.ts';
import { spool } from '../exchange/reading/spool.ts';
import { Refusal } from '../lib/errors.ts';
import { makeLinkSecret } from '../lib/secrets.ts';
import { findZone } from '../lib/zone.ts';
import { type Command, type Invocation, now, withEngine } from './command.ts';
import { serve } from './serve.ts';

const PLANS = [BAKERY, DOCS];
/** The seed of the random numbers. All demos use this seed, so all demos have the same past (test/cli/demo.test.ts). */
const SEED = 1;
/** The demo tries at most this many ports to find a free one. */
const PORTS = 20;

/**
 * A clock that never moves. An import pauses after some time on this clock, so that a running server can work. The demo
 * fills its file before its server runs. So no pauses are needed.
 */
const NO_PAUSES = { tick: () => 0 };

async function fillSite(engine: Engine, { id, plan }: { id: number; plan: Plan }, spoolPath: string): Promise<void> {
  const today = findZone(plan.timeZone).dayAt(now());
  const past = { plan, dice: dice(SEED + id), today };
  const hits = spool(spoolPath);
  try {
    for (const hit of makeHits(past, now())) hits.add(hit);
    await engine.imports.add(id, hits.content(today, plan.timeZone), { replace: false, pace: NO_PAUSES });
  } finally {
    hits.close();
  }
  const crawls = [...makeCrawls(past)].map((crawl) => ({ siteId: id, ...crawl }));
  const drops = [...makeDrops(past)].map((drop) => ({ siteId: id, ...drop }));
  await engine.intake.append({ crawls, drops });
}

/** Makes the database file with both sites. Returns the id of their owner. */
async function makeFile(config: Config): Promise<number> {
  let ownerId = 0;
  await withEngine(
    config,
    async ({ db, engine }) => {
      const { userId, sites } = furnish(db, PLANS, { now: now(), slug: makeLinkSecret(randomBytes) });
      ownerId = userId;
      for (const site of sites) await fillSite(engine, site, `${config.db}.demo-${process.pid}`);
    },
    { create: true },
  );
  return ownerId;
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });

async function freePort({ port, host }: Config): Promise<number> {
  for (let candidate = port; candidate < port + PORTS; candidate++) if (await isFree(candidate, host)) return candidate;
  throw new Refusal(`none of the ports from ${port} to ${port + PORTS - 1} is free; choose another --port`);
}

const sendVisits = async ({ collector }: Daybook, stop: AbortSignal): Promise<void> => {
  await Promise.all(PLANS.map((plan, i) => trickle({ plan, collector, dice: dice(now() + i), stop }, now)));
};

async function demo(invocation: Invocation): Promise<void> {
  const { flags, config, io } = invocation;
  if (flags.db !== undefined && existsSync(flags.db)) {
    throw new Refusal(`${flags.db}: the file exists already; the demo needs a new one`);
  }
  const temporaryFolder = flags.db === undefined ? mkdtempSync(join(tmpdir(), 'daybook-demo-')) : undefined;
  try {
    const port = flags.port === undefined ? await freePort(config) : config.port;
    const demoConfig = {
      ...withPort(config, port),
      db: flags.db ?? join(temporaryFolder ?? '', 'demo.db'),
      keepBackups: 0,
    };
    io.explain('Generating two years of visits to two sites; this takes a few seconds …');
    const userId = await makeFile(demoConfig);
    const entry = { secret: makeLinkSecret(randomBytes), userId };
    await serve({ ...invocation, config: demoConfig }, entry, sendVisits);
  } finally {
    if (temporaryFolder) rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

export const demoCommands: Command[] = [
  {
    name: 'demo',
    isUntimed: true,
    args: [],
    summary: 'Run a server with two made-up sites, to try the dashboard',
    settings: ['port', 'host', 'base-url'],
    flags: {
      db: {
        value: 'FILE',
        help: 'keep the data in this new file (default: a temporary one, deleted when the demo ends)',
      },
    },
    run: demo,
  },
];
