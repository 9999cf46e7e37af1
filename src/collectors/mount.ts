import type { Hono } from 'hono';
import type { Collector } from '../collect/collector.ts';
import type { Reason } from '../collect/outcome.ts';
import { jsonAnswer } from '../lib/answer.ts';
import { Problem } from '../lib/errors.ts';
import { checked, jsonOf } from '../lib/input.ts';
import type { Log } from '../lib/log.ts';
import { type Env, mountPath } from '../lib/paths.ts';
import { hashOf, type Random } from '../lib/secrets.ts';
import { type Clock, DAY, monthOf, seconds } from '../lib/time.ts';
import { trouble } from '../lib/trouble.ts';
import { addUsage } from '../store/accounts.ts';
import { changeStatus, findCollectorOf, noteCollected, removeCollectedBefore } from '../store/collectors.ts';
import { addToldOutage } from '../store/outages.ts';
import { findSiteAccount } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { type Answer, PATH, Report } from './messages.ts';
import { settingsOf } from './settings.ts';

const REPORT_BYTES = 4 * 1024 * 1024;

/** No collector tells of months before that. */
const KEPT_SECONDS = 400 * DAY;

type Deps = { db: Db; engine: string; collector: Collector; clock: Clock; random: Random; log: Log };

/** Notes what a collector says. Each of it may be said again, and counts once. */
function note({ db, collector, clock }: Deps, number: number, report: Report): void {
  const { status, outbox, taken, outages, seen } = report;
  db.write(() => {
    changeStatus(db, number, { status, now: seconds(clock) });
    for (const one of taken) {
      const accountId = findSiteAccount(db, one.siteId);
      if (accountId === undefined) continue;
      const more = noteCollected(db, outbox, one);
      if (more > 0) addUsage(db, accountId, one.month, more);
    }
    for (const outage of outages) addToldOutage(db, outage);
  });
  for (const { siteId, at, dropped, host } of seen)
    collector.noteRequest({ siteId, at, dropped: dropped as Reason | undefined, host });
}

/** Sees whether two programs use one secret: then what says the one comes between what says the other. */
function doubles(log: Log, clock: Clock) {
  const runs = new Map<number, string[]>();
  const found = trouble(log, clock, 'reports of collectors that share a secret, in all');
  return (name: string, number: number, run: string): void => {
    const known = runs.get(number) ?? [];
    if (known.at(-1) === run) return;
    if (known.includes(run))
      found.failed(name, 'two programs use the secret of one collector; give each its own', { collector: name });
    runs.set(number, [...known.filter((one) => one !== run), run].slice(-10));
  };
}

/** Mounts what collectors ask each second: they say how they are, and learn what they need to know. */
export function mountCollectors(app: Hono<Env>, deps: Deps): void {
  const { db, clock, log } = deps;
  const settings = settingsOf(deps);
  removeCollectedBefore(db, monthOf(seconds(clock) - KEPT_SECONDS));
  const lookForDouble = doubles(log, clock);
  mountPath(app, PATH, {
    async POST({ req, env }) {
      const [, secret = ''] =
        /^Bearer (\S+)$/.exec(env.incoming?.headers.authorization ?? req.header('Authorization') ?? '') ?? [];
      const collector = findCollectorOf(db, hashOf(secret));
      if (!collector) throw new Problem('unauthenticated');
      const report = checked(Report, await jsonOf(req.raw, REPORT_BYTES));
      const { number, name } = collector;
      lookForDouble(name, number, report.status.run);
      note(deps, number, report);
      const now = settings();
      const answer: Answer = {
        ...{ number, name, now: seconds(clock), tag: now.tag },
        ...(report.tag === now.tag ? {} : { settings: now.settings }),
      };
      return jsonAnswer(200, answer);
    },
  });
}
