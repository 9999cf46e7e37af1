// The finding about collectors. examine.ts calls `checkCollectors`.
//
// Invariant: the finding has at most one fault for each collector, the worst one. Example: a collector has been silent
// for 5 minutes, and its disk is full. This collector is reported only as silent.

import { type Coded, coded } from '../lang/coded.ts';
import { readCoded } from '../lib/http/fault.ts';
import { iso, MINUTE } from '../lib/time.ts';
import { type Collector, listCollectors } from '../store/cluster/collectors.ts';
import { type Closing, MOST_SKEW, type Status } from '../store/cluster/sender-status.ts';
import type { Db } from '../store/db.ts';
import { eachOnce, fine, type Result } from './result.ts';

/**
 * How many seconds a collector may be silent, or keep hits without sending them. After this time, the collector is
 * reported.
 */
const LATE = 5 * MINUTE;

type Heard = Collector & Status;

/**
 * The remedy for each reason why a collector accepts no hits. The reason "refused" is missing: the primary refuses the
 * collector, and so stores no more reports from it. Such a collector is reported as silent.
 */
const REMEDIES: Record<Exclude<Closing, 'refused'>, Coded> = {
  retiring: coded('wait_for_collector'),
  disk: coded('make_room_for_outbox'),
  clock: coded('reach_primary'),
};

export function checkCollectors(db: Db, now: number): Result {
  const all = listCollectors(db).flatMap(({ status, ...one }) => (status ? [{ ...one, status, ...status }] : []));
  if (all.length === 0) return fine(coded('no_collectors'));
  const found = FAULTS.flatMap((fault) => all.filter((one) => fault.isSo(one, now)).map((one) => ({ one, fault })));
  const gravest = found.filter(({ one }, i) => found.findIndex((other) => other.one === one) === i);
  if (gravest.length === 0) return fine(coded('collectors_fine', { count: all.length }));
  return {
    fine: false,
    says: gravest.map(({ one, fault }) => fault.says(one)),
    remedies: eachOnce(gravest.map(({ one, fault }) => fault.remedy(one))),
  };
}

const findClosed = ({ closed }: Heard) => (closed && closed !== 'refused' ? closed : undefined);

/** The faults of a collector, the worst first. Only the first fault that applies is reported. */
const FAULTS: { isSo(one: Heard, now: number): boolean; says(one: Heard): Coded; remedy(one: Heard): Coded }[] = [
  {
    isSo: ({ seenAt }, now) => now - seenAt > LATE,
    says: ({ name, seenAt }) => coded('collector_late', { name, time: iso(seenAt) }),
    remedy: ({ name }) => coded('start_collector', { name }),
  },
  {
    isSo: (one) => findClosed(one) !== undefined,
    says: (one) => coded(`collector_${findClosed(one) ?? 'retiring'}`, { name: one.name }),
    remedy: (one) => REMEDIES[findClosed(one) ?? 'retiring'],
  },
  {
    isSo: ({ now: there, seenAt }) => Math.abs(there - seenAt) > MOST_SKEW,
    says: ({ name, now: there, seenAt }) => coded('collector_skew', { name, there: iso(there), seen: iso(seenAt) }),
    remedy: () => coded('set_that_clock'),
  },
  {
    isSo: ({ until }, now) => now - until > LATE,
    says: ({ name, until, bytes }) => coded('collector_unsent', { name, time: iso(until), size: bytes }),
    remedy: () => coded('see_collector_log'),
  },
  {
    isSo: ({ visitors }) => visitors?.fine === false,
    says({ name, visitors }) {
      const { code, values } = readCoded(visitors?.words ?? '');
      return { code, values: { ...values, of: name } };
    },
    remedy: () => coded('trust_proxy_there'),
  },
];
