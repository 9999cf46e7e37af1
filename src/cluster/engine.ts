import { hideImport, listImportedDays, listImports } from '../catalog/imported.ts';
import { type Turns, takeTurns } from '../catalog/one-at-a-time.ts';
import { findLastSealed, hasSealedDays } from '../catalog/sealed-days.ts';
import { withUnknown, withUnknownOfSites } from '../catalog/unknown.ts';
import { countUsage } from '../commit/plan-usage.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, DAY } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import { askForVisitors, isOfNow, listRanges, type Question, type Range } from '../stats/question.ts';
import { listServers } from '../store/cluster/cluster-servers.ts';
import { openOutbox } from '../store/cluster/outbox.ts';
import type { Db } from '../store/db.ts';
import { clockTrust } from '../store/server/clock-trust.ts';
import { findSiteAccount, listKeepingSites, siteExists } from '../store/sites/sites.ts';
import { filler } from './fill/filler.ts';
import { listSenders, type Sender } from './fill/senders.ts';
import { type Intake, intakeOver, noIntake } from './outbox/intake.ts';
import { measureSites } from './query/all-sites.ts';
import { knownOf } from './query/catalog-snapshot.ts';
import { listCrawls, listDropped, listDrops } from './query/crawls-and-drops.ts';
import { firstHits, listDays, listTaken, previewOf, receiptsOf, visitedDays, visitsIn } from './query/days.ts';
import { suggest } from './query/exclusion-suggestions.ts';
import { measure as measureIn } from './query/measure.ts';
import { openDaysOf } from './query/visible-rows.ts';
import { connect, prepare } from './servers/connect.ts';
import { keeper } from './servers/keeper.ts';
import type { Node, Nodes } from './servers/nodes.ts';
import { growth } from './upkeep/disk-growth.ts';
import { bring } from './upkeep/import.ts';
import { countImported } from './upkeep/import-rows.ts';
import { listExpired, nightly } from './upkeep/nightly.ts';
import { recount, recountSome } from './upkeep/recount.ts';
import { forgetSite, sweep } from './upkeep/sweep.ts';

/** All days of which a question reads something. */
function rangeOf(question: Question): Range {
  const ranges = isOfNow(question) ? [question.range] : listRanges(question);
  const from = Math.min(...ranges.map((range) => range.from));
  const to = Math.max(...ranges.map((range) => range.to));
  return { from, to };
}

/** Hits of all sites on the cluster, and what the primary's file says of their days. */
function asking({ db, nodes }: { db: Db; nodes: Nodes }) {
  function measureWith(open: readonly number[], question: Question, gone?: AbortSignal) {
    const { shown, exclusions } = knownOf(db, question.siteId, rangeOf(question));
    return measureIn({ nodes, known: { shown: { ...shown, open }, exclusions }, gone }, question);
  }
  const measure = async (question: Question, gone?: AbortSignal) =>
    withUnknown(db, question, await measureWith(await openDaysOf(nodes, gone), question, gone));
  return {
    measure,
    async measureSites(question, gone) {
      const open = await openDaysOf(nodes, gone);
      const found = await measureSites((one) => measureWith(open, one, gone), question);
      return withUnknownOfSites(db, question, found);
    },
    crawls: (question, gone) => listCrawls(nodes, question, gone),
    preview: (siteId, range, filters, gone) => previewOf({ db, nodes, gone }, siteId, range, filters),
    suggest: (question, gone) => suggest({ db, nodes, gone }, question),
    async aside(siteId, range, gone) {
      const { aside } = await measure(askForVisitors(siteId, range), gone);
      return aside;
    },
    drops: (siteId, range) => listDrops(nodes, siteId, range),
    droppedDays: (reason, from) => listDropped(nodes, reason, from),
    growth: (today, siteId) => growth({ db, nodes }, today, siteId),
    async lastHit() {
      const own = `SELECT max(toInt64(day) * ${DAY} + second) AS last FROM activity WHERE engaged = 0`;
      const found = await nodes.ask<{ last: number }>(own);
      return Math.max(...found.map(({ last }) => last), (findLastSealed(db) ?? 0) * DAY);
    },
    firstHits: (siteIds) => firstHits({ db, nodes }, siteIds),
    receipts: (siteId, range) => receiptsOf({ db, nodes }, measure, siteId, range),
    visits: (siteId) => visitsIn({ db, nodes }, siteId),
    days: (siteId) => listDays({ db, nodes }, siteId),
    visitedDays: (siteId, range) => visitedDays({ db, nodes }, siteId, range),
    taken: (siteId, days) => listTaken({ db, nodes }, siteId, days),
    imports: async (siteId) => listImports(db, siteId, await countImported({ db, nodes }, siteId)),
    importedDays: async (siteId) => listImportedDays(db, siteId),
    removeImport: async (siteId, id) => hideImport(db, siteId, id),
    forget: (siteId) => forgetSite({ db, nodes }, siteId),
    hasSealedDays: () => hasSealedDays(db),
    recount: () => recount({ db, nodes }),
  } satisfies Partial<Engine>;
}

/** What looks after the servers, given what keeps the night from coming in between. */
type Servers = (inTurn: Turns['inTurn']) => { keep(): Promise<void>; close(): Promise<void> };

type Parts = { db: Db; nodes: Nodes; clock: Clock; log: Log; intake: Intake; servers?: Servers };

function engineOf({ db, nodes, clock, log, intake, servers }: Parts): Engine {
  const { outbox } = intake;
  const night = { db, nodes, clock, log, trust: clockTrust(db, clock), shipped: intake.shipped };
  const importing = { db, nodes, clock, name: intake.name, numbers: intake.numbers };
  const { inTurn, settle } = takeTurns();
  const keeping = servers?.(inTurn);
  return {
    ...intake,
    ...asking({ db, nodes }),
    keep: keeping?.keep ?? (async () => {}),
    async listSilent() {
      const found = await Promise.all(nodes.all.map(async (node) => ({ ...node, answers: await nodes.answers(node) })));
      return found.filter(({ answers }) => !answers).map(({ url }) => url);
    },
    away: () => nodes.all.filter(nodes.isAway).map(({ url }) => url),
    resum: async () => 0,
    bring: (siteId, content, options) => bring(importing, siteId, content, options),
    seal: (stop) => inTurn(() => nightly(night, stop)),
    sweep: () => inTurn(() => sweep({ db, nodes, clock, outbox })),
    fold: async () => {},
    recountSome: (stop) => inTurn(() => recountSome({ db, nodes }, clock, stop)),
    async expired(siteId, today) {
      const { keepDays } = listKeepingSites(db).find(({ id }) => id === siteId) ?? {};
      const parts = keepDays === undefined ? [] : listExpired(db, siteId, keepDays, today);
      const perDay = await growth({ db, nodes }, today, siteId);
      const days = new Set(parts.map(({ day }) => day)).size;
      return { count: days, bytes: Math.round(days * perDay) };
    },
    async close() {
      await keeping?.close();
      await settle();
      await intake.close();
    },
  };
}

type Deps = {
  db: Db;
  /** The file of what waits to be sent. */
  outbox: string;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** How many hits a day of a site may have; 0 means no limit. */
  capacity?: number | undefined;
};

/** The engine of a server, on a cluster of ClickHouse servers. */
export async function cluster(text: string, { outbox, ...deps }: Deps): Promise<Engine> {
  const { db, clock } = deps;
  const behind = new Set<Node>();
  let senders: () => Sender[] = () => [];
  const reached = (url: string) => Math.min(...senders().map((one) => one.reached.get(url) ?? 0));
  const { address, nodes } = await connect(text, db, clock, { behind, as: 'server', log: deps.log, reached });
  const file = openOutbox(outbox, `primary-${clock.now()}`);
  const intake = intakeOver(file, {
    ...deps,
    reach: { nodes, behind, listServers: () => listServers(db) },
    ack: address.ack,
    number: 0,
    siteExists: (siteId) => siteExists(db, siteId),
    counted(activities) {
      if (activities.length > 0) db.write(() => countUsage(db, activities, (siteId) => findSiteAccount(db, siteId)));
    },
  });
  senders = () => listSenders(db, intake);
  const { keep, close } = keeper({ ...deps, nodes });
  await keep();
  const servers: Servers = (inTurn) => {
    const filling = filler({
      ...{ ...deps, nodes, inTurn },
      prepare: (node) => prepare(address, [node]),
      nextNumber: () => intake.numbers(1),
      listSenders: senders,
    });
    return {
      async keep() {
        await keep();
        await filling.fillDue();
      },
      async close() {
        await Promise.all([close(), filling.close()]);
      },
    };
  };
  return engineOf({ ...deps, nodes, intake, servers });
}

/** The engine of a command. */
export async function clusterHere(text: string, db: Db, clock: Clock): Promise<Engine> {
  const { nodes } = await connect(text, db, clock);
  return engineOf({ db, nodes, clock, log: () => {}, intake: noIntake(clock) });
}
