import { describeUnsealed } from '../engine/engine.ts';
import { forgetRemovedSites } from '../jobs/jobs.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { isOnCluster } from '../store/cluster/cluster-servers.ts';
import type { Db } from '../store/db.ts';
import { findTrustedDay, watchClock } from '../store/server/clock-trust.ts';
import { type Command, clock, type Invocation, now, withEngine } from './command.ts';

/**
 * Refuses to seal while the clock is not trusted. After the clock has jumped by more than two days, a server seals no
 * day for 6 hours. With --trust-clock, the operator confirms the clock and need not wait.
 */
function trustClock(db: Db, isGiven: boolean): void {
  const trust = watchClock(db, clock);
  if (isGiven) trust.accept();
  else if (!trust.look()) {
    const seen = findTrustedDay(db);
    const but =
      seen === undefined ? 'which is before the last hit' : `but the last day seen is ${formatDay(seen * DAY)}`;
    const remedy = 'Set the clock. If it is right, run daybook seal --trust-clock';
    throw new Refusal(`this machine says it is ${formatDay(now())}, ${but}. Nothing was sealed. ${remedy}`);
  }
}

async function seal({ flags, config, io }: Invocation): Promise<void> {
  await withEngine(config, async ({ db, engine }) => {
    const isGiven = flags['trust-clock'] !== undefined;
    trustClock(db, isGiven);
    // On a cluster, only the running server seals. That server finds in the database file that the operator has
    // confirmed the clock.
    if (isGiven && isOnCluster(db)) return io.print('the clock is trusted. The running server seals the past days');
    const night = await engine.upkeep.seal();
    await forgetRemovedSites(db, engine.upkeep);
    io.print(`${plural(night.days, 'day')} sealed`);
    if (night.failed.length > 0) throw new Refusal(inEnglish(describeUnsealed(night)));
  });
}

export const sealCommands: Command[] = [
  {
    name: 'seal',
    args: [],
    summary: 'Seal every past day that is still open. A running server does so after midnight',
    settings: ['db', 'engine'],
    flags: { 'trust-clock': { help: "trust this machine's clock, although it is days away from the last known day" } },
    run: seal,
  },
];
