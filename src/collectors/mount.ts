// Mounts the path on the primary to which each collector sends a report once a second. The response has the time and
// the settings.
//
// Invariant: a report is accepted only with the secret of a collector. The report must also come from the outbox that
// this collector reported first. With two outboxes, different rows would get equal row numbers. With the outbox of
// another collector, rows would count twice.
//
// Example: a machine was copied with its outbox, so two programs use one secret. Their reports alternate, and the log
// says that this collector runs twice.
import type { Hono } from 'hono';
import { makeWindowLimit } from '../auth/limits.ts';
import { findUnsealedNumber } from '../cluster/servers/row-numbers.ts';
import type { Collector } from '../collect/collector.ts';
import { coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import { answerJson } from '../lib/http/answer.ts';
import { checked, readJson } from '../lib/http/input.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import type { Log } from '../lib/log.ts';
import { hashSecret, type Random } from '../lib/secrets.ts';
import { type Clock, DAY, formatMonth, seconds } from '../lib/time.ts';
import { watchTrouble } from '../lib/trouble.ts';
import {
  findCollectorByHash,
  findOwner,
  type Collector as Known,
  removeCollectedBefore,
} from '../store/cluster/collectors.ts';
import type { Db } from '../store/db.ts';
import { CollectorReport, PATH, type PrimaryAnswer } from './messages.ts';
import { buildReportKeeper } from './note.ts';
import { buildSettings } from './settings.ts';

/**
 * The maximum size of a report. Reading 1 MB takes a few milliseconds, so a thief with a stolen secret cannot keep the
 * server busy.
 */
const REPORT_BYTES = 1024 * 1024;

/**
 * How long the reported hits of a month stay stored, so that a repeated report does not count twice. No collector
 * reports older months.
 */
const KEPT_SECONDS = 400 * DAY;

const OTHER_OUTBOX = coded('other_outbox');

/**
 * The error for a collector that uses an old copy of its outbox, such as a backup. The old copy would send hits again
 * that are already in the cluster, and they would count twice.
 */
const OLDER_OUTBOX = coded('older_outbox');

/**
 * How many reports a collector may send in 10 s. A collector sends a report each second, and some more when it starts
 * and stops. The limit keeps a thief with a stolen secret from overloading the server.
 */
const MOST_REPORTS = 40;
const REPORTS_SECONDS = 10;

/**
 * The errors for the outbox of another collector. If it belongs to a present collector, it is a copy. If it belongs to a
 * lost collector, a fill may have copied its rows from one server to another. In both cases, rows that wait in it would
 * count twice. An empty outbox of a lost collector is accepted (test/cluster/collectors.test.ts).
 */
const OTHERS_OUTBOX = { present: coded('copied_outbox'), lost: coded('lost_outbox') };

type Deps = {
  db: Db;
  engine: string;
  collector: Pick<Collector, 'noteRequest'>;
  clock: Clock;
  random: Random;
  log: Log;
};

export function mountCollectors(app: Hono<Env>, deps: Deps): void {
  const { db, clock, log } = deps;
  const findSettings = buildSettings(deps);
  removeCollectedBefore(db, formatMonth(seconds(clock) - KEPT_SECONDS));
  const lookForDouble = watchForDoubles(log, clock);
  const limit = makeWindowLimit(MOST_REPORTS, REPORTS_SECONDS, clock);
  const note = buildReportKeeper(deps);

  /**
   * Finds the collector to which the secret in the header belongs. Throws if the secret is unknown, or if the collector
   * sends more than 40 reports in 10 s.
   */
  function findAsker(header: string): Known {
    const [, secret = ''] = /^Bearer (\S+)$/.exec(header) ?? [];
    const collector = findCollectorByHash(db, hashSecret(secret));
    if (!collector) throw new Problem('unauthenticated', { message: coded('unknown_collector') });
    const { allowed, resetSeconds } = limit.take(collector.number);
    if (!allowed) throw new Problem('rate_limited', { headers: { 'Retry-After': `${resetSeconds}` } });
    return collector;
  }

  mountPath(app, PATH, {
    async POST({ req, env }) {
      const collector = findAsker(env.incoming?.headers.authorization ?? req.header('Authorization') ?? '');
      const report = checked(CollectorReport, await readJson(req.raw, REPORT_BYTES));
      const { number, name, outbox } = collector;
      if (outbox !== null && outbox !== report.outbox) throw new Problem('unauthenticated', { message: OTHER_OUTBOX });
      const owner = outbox === null ? findOwner(db, report.outbox) : undefined;
      if (owner === 'present' || (owner === 'lost' && report.status.isEmpty !== true))
        throw new Problem('unauthenticated', { message: OTHERS_OUTBOX[owner] });
      if ((report.status.parcels ?? Number.POSITIVE_INFINITY) < (collector.status?.parcels ?? 0))
        throw new Problem('unauthenticated', { message: OLDER_OUTBOX });
      lookForDouble(name, number, report.status.run);
      note(collector, report);
      const now = clock.now();
      const { tag, settings } = findSettings(now);
      const { isRetiring } = collector;
      const answer: PrimaryAnswer = {
        ...{ number, name, now, least: findUnsealedNumber(db, clock), isRetiring, tag },
        ...(report.tag === tag ? {} : { settings }),
      };
      return answerJson(200, answer);
    },
  });
}

/**
 * Notices two collectors that use one secret, for example after a machine was copied. Each start of a program has a
 * random name, `run`. A restart changes this name once. If two names alternate, two programs run.
 */
function watchForDoubles(log: Log, clock: Clock) {
  const runs = new Map<number, string[]>();
  const found = watchTrouble(log, clock, 'reports of collectors that share a secret, in all');
  return (name: string, number: number, run: string): void => {
    const known = runs.get(number) ?? [];
    if (known.at(-1) === run) return;
    if (known.includes(run))
      found.failed(name, 'two programs use the secret of one collector. Give each its own', { collector: name });
    runs.set(number, [...known.filter((one) => one !== run), run].slice(-10));
  };
}
