import { describeFaulty, type Recounted } from '../engine/engine.ts';
import { findChangedDays } from '../jobs/receipt-days.ts';
import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal } from '../lib/errors.ts';
import { writeCoded } from '../lib/http/fault.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { type Command, type Invocation, now, withReader, withStore } from './command.ts';

async function check({ config, io }: Invocation): Promise<void> {
  let days = 0;
  const different = new Map<string, Recounted>();
  const tell = (counted: Recounted): void => {
    const name = `${counted.domain} ${formatDay(counted.day * DAY)}`;
    if (counted.faults.length > 0 && !different.has(name)) different.set(name, counted);
    for (const fault of counted.faults) io.print(`${name}: ${fault}`);
  };
  await withReader(config, async (engine, db) => {
    for await (const counted of engine.upkeep.recount()) {
      days++;
      tell(counted);
    }
    for await (const changed of findChangedDays(db, engine)) tell(changed);
  });
  const said = coded('recount_different', { count: days, different: different.size });
  io.print(inEnglish(said));
  const [first] = different.values();
  const noted = first ? describeFaulty({ days, count: different.size, first }) : said;
  await withStore(config, (db) => noteUpkeep(db, 'check', { at: now(), fine: !first, words: writeCoded(noted) }));
  if (different.size > 0)
    throw new Refusal('the days above are damaged. Restore an older backup, or import those days again');
}

export const checkCommands: Command[] = [
  {
    name: 'check',
    args: [],
    summary: 'Verify every sealed day: count it again, and compare it with its receipt. Exit code 1 if one differs',
    settings: ['db', 'engine'],
    run: check,
  },
];
