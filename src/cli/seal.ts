import { describeUnsealed } from '../engine/engine.ts';
import { forgetRemovedSites } from '../jobs/jobs.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { findTrustedDay, watchClock } from '../store/server/clock-trust.ts';
import { type Command, clock, type Invocation, now, withEngine } from './command.ts';

/**
 * Asserts that the clock is right before a day is sealed. A server waits for 6 hours after a sudden jump of the clock.
 * The operator can confirm the clock before that.
 */
function trustClock(db: Db, isGiven: boolean): void {
  const trust = watchClock(db, clock);
  if (isGiven) trust.accept();
  else if (!trust.look()) {
    const seen = findTrustedDay(db);
    const but = seen === undefined ? 'which cannot be' : `but the last day seen is ${formatDay(seen * DAY)}`;
    const remedy = 'set the clock, or if it is right run daybook seal --trust-clock';
    throw new Refusal(`this machine says it is ${formatDay(now())}, ${but}; nothing was sealed; ${remedy}`);
  }
}

async function seal({ flags, config, io }: Invocation): Promise<void> {
  await withEngine(config, async ({ db, engine }) => {
    trustClock(db, flags['trust-clock'] !== undefined);
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
    summary: 'Seal every past day that is still open; a running server does so after midnight',
    settings: ['db', 'engine'],
    flags: { 'trust-clock': { help: 'the clock of this machine is right, though it is days from the last day seen' } },
    run: seal,
  },
];
