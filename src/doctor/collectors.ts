import { plural } from '../lib/plural.ts';
import { iso, MINUTE } from '../lib/time.ts';
import { type Closing, type Collector, listCollectors, MOST_SKEW, type Status } from '../store/cluster/collectors.ts';
import type { Db } from '../store/db.ts';
import { bad, fine, type Result, size } from './result.ts';

/** So long after a collector was heard, or has not sent what it took, it is told. */
const LATE = 5 * MINUTE;

type Heard = Collector & Status;

/** What the doctor says of a collector that takes no hits, and what to do. One that is refused is not heard. */
const CLOSED: Record<Exclude<Closing, 'refused'>, [says: string, remedy: string]> = {
  retiring: ['it is being retired', 'wait until it has sent what it has; where its disk is lost, use --lost'],
  disk: ['its disk is full', 'make room on the disk of its outbox'],
  clock: ['its time is not known', 'let it reach its --primary, and keep the clock of that machine right by NTP'],
};

const closedOf = ({ closed }: Heard) => (closed && closed !== 'refused' ? CLOSED[closed] : undefined);

/** What can be wrong, in words, and what to do then. The gravest comes first, and of each collector only that is told. */
const FAULTS: { isSo(one: Heard, now: number): boolean; says(one: Heard): string; remedy(one: Heard): string }[] = [
  {
    isSo: ({ seenAt }, now) => now - seenAt > LATE,
    says: ({ name, seenAt }) => `${name} was heard last at ${iso(seenAt)}; no day after that is sealed`,
    remedy: ({ name }) => `start it, or where it is lost with its disk, daybook collectors retire ${name} --lost`,
  },
  {
    isSo: (one) => closedOf(one) !== undefined,
    says: (one) => `${one.name} takes no hits: ${closedOf(one)?.[0]}`,
    remedy: (one) => closedOf(one)?.[1] ?? '',
  },
  {
    isSo: ({ now: there, seenAt }) => Math.abs(there - seenAt) > MOST_SKEW,
    says: ({ name, now: there, seenAt }) => `the clock of ${name} said ${iso(there)} at ${iso(seenAt)}`,
    remedy: () => 'set the clock of that machine, and keep it right by NTP',
  },
  {
    isSo: ({ until }, now) => now - until > LATE,
    says: ({ name, until, bytes }) =>
      `${name} has not sent what it took since ${iso(until)}, and its outbox has ${size(bytes)}`,
    remedy: () => 'see its log; the cluster is away from there, or cannot take as much',
  },
  {
    isSo: ({ visitors }) => visitors?.fine === false,
    says: ({ name, visitors }) => `${name}: ${visitors?.words}`,
    remedy: () => 'start it with --trusted-proxies and the address of the proxy',
  },
];

/** Whether the machines that take hits for a cluster are heard, and send what they take. */
export function collectorsFound(db: Db, now: number): Result {
  const all = listCollectors(db).flatMap(({ status, ...one }) => (status ? [{ ...one, status, ...status }] : []));
  if (all.length === 0) return fine('there are none');
  const found = FAULTS.flatMap((fault) => all.filter((one) => fault.isSo(one, now)).map((one) => ({ one, fault })));
  const gravest = found.filter(({ one }, i) => found.findIndex((other) => other.one === one) === i);
  if (gravest.length === 0) return fine(`${plural(all.length, 'collector')}, all heard and sending`);
  const remedies = new Set(gravest.map(({ one, fault }) => fault.remedy(one)));
  return bad(gravest.map(({ one, fault }) => fault.says(one)).join('. '), [...remedies].join('. '));
}
