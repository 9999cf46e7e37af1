import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { TODAY } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { DEADLINE_MS, program, until } from '../support/program.ts';
import { clocksIn } from './clocks.ts';
import { domainOf, SITES } from './crowd.ts';
import { commandBy, machines } from './machines.ts';
import { CLUSTER, hostsOf, type Server as Node } from './servers.ts';

/* A primary, collectors and a cluster in the evening, whose clocks leap. */

export const DATABASE = 'own';
export const COLLECTORS = 3;

type Evening = Awaited<ReturnType<typeof beginEvening>>;

/** `hour` is the hour of the day at which all clocks stand at first. */
export async function beginEvening(t: TestContext, nodes: readonly Node[], hour: number) {
  const engine = `clickhouse://${hostsOf(nodes)}/${DATABASE}?cluster=${CLUSTER}`;
  const clocks = clocksIn(folder(t), TODAY * 86_400_000 + hour * 3_600_000);
  const daybook = program(t, { command: commandBy(clocks, 'primary') });
  const token = await furnish(
    daybook.db,
    Array.from({ length: SITES }, (_, site) => domainOf(site)),
  );
  const own = await machines(t, { primary: daybook, engine, clocks, collectors: COLLECTORS });
  const ask = async (site: number, path: string) => {
    const url = `${own.primary().url}/api/v1/sites/${site + 1}/stats/${path}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    return { status: answer.status, body: (await answer.json()) as { data: unknown } };
  };
  const file = new Database(daybook.db, { readonly: true });
  t.after(() => file.close());
  /** The second of the primary's last try to seal days. */
  const triedAt = () => file.prepare("SELECT at FROM upkeep WHERE name = 'seal'").pluck().get();
  return { engine, clocks, daybook, token, own, ask, triedAt };
}

/** Waits until the day before is sealed, as it is at a start once all have said that they have sent what they took of it. */
export async function sealed({ own, clocks, ask, triedAt }: Evening, day: string): Promise<void> {
  await own.stopAll();
  clocks.leap(1_800_000);
  await own.startAll();
  const isSealed = async () => {
    await own.stopPrimary('SIGTERM');
    // Each try has a second of its own.
    clocks.leap(1_000);
    const before = triedAt();
    await own.startPrimary();
    await until('the primary has tried to seal', () => triedAt() !== before);
    const { status, body } = await ask(0, `days?range=${day}~${day}`);
    // 503 where servers of the cluster are not there yet.
    return status === 200 && (body.data as { days: { state: string }[] }).days[0]?.state === 'sealed';
  };
  await until('the day before is sealed', isSealed, 3 * DEADLINE_MS);
}

/** A collector whose clock leapt takes no hits until the primary answers. */
export const waitForTime = ({ own }: Pick<Evening, 'own'>): Promise<void> =>
  until('all collectors know the time', async () => {
    const answers = await Promise.all(own.ports().map((port) => fetch(`http://127.0.0.1:${port}/readyz`)));
    return answers.every(({ ok }) => ok);
  });
