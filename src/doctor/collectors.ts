import { type Coded, coded } from '../lang/coded.ts';
import { readCoded } from '../lib/http/fault.ts';
import { iso, MINUTE } from '../lib/time.ts';
import { type Closing, type Collector, listCollectors, MOST_SKEW, type Status } from '../store/cluster/collectors.ts';
import type { Db } from '../store/db.ts';
import { eachOnce, fine, type Result } from './result.ts';

/** So long after a collector was heard, or has not sent what it took, it is told. */
const LATE = 5 * MINUTE;

type Heard = Collector & Status;

/** What to do where a collector takes no hits. One that is refused is not heard. */
const REMEDIES: Record<Exclude<Closing, 'refused'>, Coded> = {
  retiring: coded('wait_for_collector'),
  disk: coded('make_room_for_outbox'),
  clock: coded('reach_primary'),
};

const closedOf = ({ closed }: Heard) => (closed && closed !== 'refused' ? closed : undefined);

/** What can be wrong, in words, and what to do then. The gravest comes first, and of each collector only that is told. */
const FAULTS: { isSo(one: Heard, now: number): boolean; says(one: Heard): Coded; remedy(one: Heard): Coded }[] = [
  {
    isSo: ({ seenAt }, now) => now - seenAt > LATE,
    says: ({ name, seenAt }) => coded('collector_late', { name, time: iso(seenAt) }),
    remedy: ({ name }) => coded('start_collector', { name }),
  },
  {
    isSo: (one) => closedOf(one) !== undefined,
    says: (one) => coded(`collector_${closedOf(one) ?? 'retiring'}`, { name: one.name }),
    remedy: (one) => REMEDIES[closedOf(one) ?? 'retiring'],
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

/** Whether the machines that take hits for a cluster are heard, and send what they take. */
export function collectorsFound(db: Db, now: number): Result {
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
