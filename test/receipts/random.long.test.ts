import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { rotateReceiptKey } from '../../src/catalog/receipts.ts';
import { makeDueReceipts } from '../../src/jobs/receipts.ts';
import { checkChain } from '../../src/receipts/check-chain.ts';
import { NODE_CRYPTO } from '../../src/receipts/node-crypto.ts';
import { digestExport } from '../../src/receipts/read-export.ts';
import { type Report, reportDays } from '../../src/receipts/report.ts';
import { hereOn } from '../cli/here.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { utcSite } from '../stats/random.ts';
import { folder, ON_CLUSTER, share } from '../support/helpers.ts';
import { now, stage } from './stage.ts';

type Staged = Awaited<ReturnType<typeof stage>>;

/** What may happen to a site between two looks at its receipts. Numbers choose among what there is. */
const KINDS = ['late', 'exclude', 'include', 'import', 'remove', 'delete', 'forget', 'rotate', 'restart', 'look'];
type Step = { kind: string; n: number };
const numbered = (kinds: readonly string[]) => fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(1_000) });

/** With a cluster, the hits move between the engines at least once: from the cluster into the file, or back. */
const MOVE = 'move';
const steps: fc.Arbitrary<Step[]> = ON_CLUSTER
  ? fc
      .tuple(fc.array(numbered([...KINDS, MOVE]), { minLength: 3, maxLength: 12 }), numbered([MOVE]))
      .map(([all, move]) => all.toSpliced(move.n % (all.length + 1), 0, move))
  : fc.array(numbered(KINDS), { minLength: 3, maxLength: 12 });

async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 999) yield text.slice(at, at + 999);
}

/** Makes the receipts that are due, and checks them with exports of both forms. */
async function look(all: Staged, to: string): Promise<Report> {
  const { app, domain, read } = all;
  await app.seal();
  assert.deepEqual(await makeDueReceipts(app.db, app.engine, { random: randomBytes, now: now(app) }), []);
  const chain = await checkChain(NODE_CRYPTO, read());
  const reports: Report[] = [];
  for (const format of ['ndjson', 'csv']) {
    const path = join(to, `hits.${format}`);
    rmSync(path, { force: true });
    await hereOn(app, 'export', domain, '--format', format, '--out', path);
    const hits = await digestExport(NODE_CRYPTO, inPieces(readFileSync(path, 'utf8')));
    reports.push(reportDays(chain, hits));
  }
  const [report, other] = reports as [Report, Report];
  assert.deepEqual(other, report);
  return report;
}

async function assertHolds(all: Staged, to: string): Promise<Report> {
  const report = await look(all, to);
  // The only day may have been imported and removed again, before any look.
  const own = all.read().length === 0 ? report.faults.filter(({ code }) => code !== 'no_receipts') : report.faults;
  const faults = [...own, ...report.days.flatMap(({ date, faults }) => faults.map((one) => [date, one]))];
  assert.deepEqual(faults, []);
  // No day that is over is without a receipt.
  assert.deepEqual(
    report.unsigned.filter((day) => day < date(TODAY)),
    [],
  );
  return report;
}

/** The figures of receipts are those that the API answers. */
async function assertFigures({ site }: Staged, { days }: Report): Promise<void> {
  for (const { date, receipt } of days) {
    const data = await site.ask({ path: 'overview', query: { range: `${date}~${date}`, compare: 'none' } } as never);
    const { visitors, visits, pageviews } = data as Record<string, number>;
    const { events: _, ...figures } = receipt.figures;
    assert.deepEqual({ date, visitors, visits, pageviews }, { date, ...figures });
  }
}

/** Moves all hits to the other engine with the command for it, and counts them there. The server is stopped meanwhile. */
async function move(all: Staged, cluster: string): Promise<void> {
  const { app } = all;
  const isBack = app.config.engine !== undefined;
  // What waits for the cluster would be lost, so the command refuses to move before all of it has arrived.
  await app.seal();
  await app.restart(isBack ? null : cluster, async () => {
    const { printed } = await hereOn(app, 'move', '--to', isBack ? 'file' : cluster);
    assert.match(printed.join(), /hits? of open days moved\. Start the server/);
  });
  await hereOn(app, 'check');
  moves[isBack ? 'toFile' : 'toCluster']++;
}

const moves = { toFile: 0, toCluster: 0 };

/** Does what a step says, where that is possible. */
async function perform(all: Staged, { kind, n }: Step, { hits, excluded, to, cluster }: Place): Promise<void> {
  const { app, site, siteId, domain } = all;
  const choose = <One>(some: readonly One[]): One | undefined => some[n % Math.max(1, some.length)];
  const some = hits.filter((_, i) => i % 7 === n % 7);
  if (kind === 'late') await site.store(some.map((hit) => ({ ...hit, day: hit.day - (n % 3) })));
  if (kind === 'exclude') {
    const query = { 'filters[country]': choose(hits)?.country || 'DE' };
    excluded.push(await site.exclude(TODAY - (n % 9) - 1, n % 2 ? null : TODAY, query));
  }
  if (kind === 'include') {
    const id = excluded.splice(n % Math.max(1, excluded.length), 1)[0];
    if (id !== undefined) await site.include(id);
  }
  if (kind === 'import') {
    const path = join(to, 'more.ndjson');
    const at = `${date(TODAY - 1 - (n % 5))}T1${n % 10}:00:00Z`;
    writeFileSync(path, `${JSON.stringify({ at, url: `https://${domain}/i${n}`, visitor: `v${n}` })}\n`);
    await hereOn(app, 'import', domain, path, '--format', 'ndjson', '--replace');
  }
  if (kind === 'remove') {
    const one = choose(await app.engine.imports.list(siteId));
    if (one) await hereOn(app, 'import', 'remove', domain, String(one.id));
  }
  if (kind === 'delete') {
    const last = TODAY - 1 - (n % 5);
    await app.owner.ask('POST', `/sites/${siteId}/deletions`, { from: date(last - (n % 3)), to: date(last) });
  }
  if (kind === 'forget') app.db.run('UPDATE site SET keep_days = ? WHERE id = ?', (n % 6) + 1, siteId);
  if (kind === 'rotate') rotateReceiptKey(app.db, randomBytes, now(app));
  if (kind === 'restart') await app.restart();
  if (kind === MOVE) await move(all, cluster);
  if (kind === 'look') await assertHolds(all, to);
}

type Place = {
  hits: readonly Parameters<Staged['site']['store']>[0][number][];
  excluded: number[];
  to: string;
  cluster: string;
};

test('receipts: whatever happens to a site, its chain and its export hold, and so does the program in Python', async (t) => {
  const to = folder(t);
  const property = fc.asyncProperty(utcSite, steps, async (planned, steps) => {
    const all = await stage(t, 10);
    const past = planned.hits.map((hit) => ({ ...hit, day: Math.min(hit.day, TODAY) - 1 }));
    const hits = [...past, pageview({ day: TODAY - 1 })];
    const place: Place = { hits, excluded: [], to, cluster: all.app.config.engine ?? '' };
    await all.site.store(hits);
    for (const one of steps) await perform(all, one, place);
    const report = await assertHolds(all, to);
    await assertFigures(all, report);
    if (all.read().length === 0) return;
    const receipts = join(to, 'receipts.json');
    writeFileSync(receipts, JSON.stringify(all.read()));
    for (const format of ['ndjson', 'csv']) {
      const said = execFileSync('python3', [
        join(import.meta.dirname, 'verify.py'),
        receipts,
        join(to, `hits.${format}`),
      ]);
      assert.deepEqual(
        said.toString().trim().split('\n'),
        report.days.map((day) => `${day.date} holds`),
      );
    }
  });
  await fc.assert(property, { numRuns: share(40) });
  t.diagnostic(`moves: ${JSON.stringify(moves)}`);
  assert.equal(moves.toFile > 0, ON_CLUSTER);
});
