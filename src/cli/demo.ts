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
import { crawlsOf, dropsOf, hitsOf } from '../demo/past.ts';
import type { Plan } from '../demo/plan.ts';
import { trickle } from '../demo/trickle.ts';
import type { Engine } from '../engine.ts';
import { spool } from '../exchange/spool.ts';
import { Refusal } from '../lib/errors.ts';
import { linkSecret } from '../lib/secrets.ts';
import { DAY } from '../lib/time.ts';
import { type Command, type Invocation, now, withEngine } from './command.ts';
import { serve } from './serve.ts';

const PLANS = [BAKERY, DOCS];
const SEED = 1;
/** So many ports are tried. */
const PORTS = 20;

/** Nobody else wants the file while it is filled, so that there are no pauses. */
const ALONE = { tick: () => 0 };

/** Makes up what has been on a site. */
async function fillSite(engine: Engine, { id, plan }: { id: number; plan: Plan }, spoolPath: string): Promise<void> {
  const today = Math.floor(now() / DAY);
  const past = { plan, dice: dice(SEED + id), today };
  const hits = spool(spoolPath);
  try {
    for (const hit of hitsOf(past, now())) hits.add(hit);
    await engine.bring(id, hits.content(today), { replace: false, pace: ALONE });
  } finally {
    hits.close();
  }
  const crawls = [...crawlsOf(past)].map((crawl) => ({ siteId: id, ...crawl }));
  const drops = [...dropsOf(past)].map((drop) => ({ siteId: id, ...drop }));
  await engine.append({ crawls, drops });
}

/** Makes up what has been, and says whose it is. */
async function fill(config: Config): Promise<number> {
  let owner = 0;
  await withEngine(
    config,
    async ({ db, engine }) => {
      const { userId, sites } = furnish(db, PLANS, { now: now(), slug: linkSecret(randomBytes) });
      owner = userId;
      for (const site of sites) await fillSite(engine, site, `${config.db}.demo-${process.pid}`);
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
  for (let one = port; one < port + PORTS; one++) if (await isFree(one, host)) return one;
  throw new Refusal(`none of the ports from ${port} to ${port + PORTS - 1} is free; choose another --port`);
}

/** Lets people come until the server is stopped. */
const people = async ({ collector }: Daybook, stop: AbortSignal): Promise<void> => {
  await Promise.all(PLANS.map((plan, i) => trickle({ plan, collector, dice: dice(now() + i), stop })));
};

async function demo(invocation: Invocation): Promise<void> {
  const { flags, config, io } = invocation;
  if (flags.db !== undefined && existsSync(flags.db)) {
    throw new Refusal(`${flags.db}: there is something already; the demo makes a file of its own`);
  }
  const folder = flags.db === undefined ? mkdtempSync(join(tmpdir(), 'daybook-demo-')) : undefined;
  try {
    const port = flags.port === undefined ? await freePort(config) : config.port;
    const own = { ...withPort(config, port), db: flags.db ?? join(folder ?? '', 'demo.db'), keepBackups: 0 };
    io.explain('Making up two years of two sites; it takes a few seconds …');
    const userId = await fill(own);
    await serve({ ...invocation, config: own }, { secret: linkSecret(randomBytes), userId }, people);
  } finally {
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}

export const demoCommands: Command[] = [
  {
    name: 'demo',
    args: [],
    summary: 'Show the dashboard with two sites that do not exist',
    settings: ['port', 'host', 'base-url'],
    flags: { db: { value: 'FILE', help: 'keep it in this new file (default: one that goes when the demo ends)' } },
    run: demo,
  },
];
