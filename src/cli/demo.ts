import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCollector } from '../collect/collector.ts';
import { type Config, withPort } from '../config.ts';
import { BAKERY } from '../demo/bakery.ts';
import { type Dice, dice } from '../demo/dice.ts';
import { DOCS } from '../demo/docs.ts';
import { furnish } from '../demo/furnish.ts';
import { crawlsOf, dropsOf, hitsOf } from '../demo/past.ts';
import type { Plan } from '../demo/plan.ts';
import { trickle } from '../demo/trickle.ts';
import { spool } from '../exchange/spool.ts';
import { Refusal } from '../lib/errors.ts';
import { linkSecret } from '../lib/secrets.ts';
import { crawlWriter } from '../logs/positions.ts';
import { openStore } from '../store/open.ts';
import type { Db } from '../store/statements.ts';
import { type Command, clock, type Invocation, now, withStore } from './command.ts';
import { store } from './import.ts';
import { serve } from './serve.ts';

const PLANS = [BAKERY, DOCS];
const SEED = 1;
const DAY = 86_400;
/** So many ports are tried. */
const PORTS = 20;

/** Nobody else wants the file while it is filled, so that there are no pauses. */
const ALONE = { tick: () => 0 };

type Site = { id: number; plan: Plan };

function addCounts(db: Db, { id, plan }: Site, chance: Dice, today: number): void {
  const past = { plan, dice: chance, today };
  crawlWriter(db, plan.domain)([...crawlsOf(past)].map((crawl) => ({ siteId: id, ...crawl })));
  db.write(() => {
    for (const { day, reason, hits } of dropsOf(past)) {
      db.run('INSERT INTO drop_day (site_id, day, reason, hits) VALUES (?, ?, ?, ?)', id, day, reason, hits);
    }
  });
}

/** Makes up what has been, and says whose it is. */
async function fill(config: Config): Promise<number> {
  let owner = 0;
  await withStore(
    config,
    async (db) => {
      const { userId, sites } = furnish(db, PLANS, { now: now(), slug: linkSecret(randomBytes) });
      owner = userId;
      for (const site of sites) {
        const chance = dice(SEED + site.id);
        const today = Math.floor(now() / DAY);
        const hits = spool(`${config.db}.demo-${process.pid}`);
        try {
          for (const hit of hitsOf({ plan: site.plan, dice: chance, today }, now())) hits.add(hit);
          await store(db, { id: site.id, domain: site.plan.domain }, hits, { replace: false, pace: ALONE });
        } finally {
          hits.close();
        }
        addCounts(db, site, chance, today);
      }
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

/** Serves it, and lets people come meanwhile. */
async function show(invocation: Invocation, userId: number): Promise<void> {
  const { config } = invocation;
  const stopping = new AbortController();
  const beside = openStore(config.db, { create: false });
  const collector = buildCollector({ config, db: beside.db, clock, random: randomBytes, log: () => {} });
  const people = PLANS.map((plan, i) => trickle({ plan, collector, dice: dice(now() + i), stop: stopping.signal }));
  try {
    await serve(invocation, { secret: linkSecret(randomBytes), userId });
  } finally {
    stopping.abort();
    await Promise.all(people);
    collector.settle();
    beside.close();
  }
}

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
    await show({ ...invocation, config: own }, userId);
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
