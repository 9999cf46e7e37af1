import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal } from '../lib/errors.ts';
import { writeCoded } from '../lib/http/fault.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { type Command, type Invocation, now, withReader, withStore } from './command.ts';

async function check({ config, io }: Invocation): Promise<void> {
  let [days, different] = [0, 0];
  await withReader(config, async (engine) => {
    for await (const { domain, day, faults } of engine.upkeep.recount()) {
      days++;
      if (faults.length > 0) different++;
      for (const fault of faults) io.print(`${domain} ${formatDay(day * DAY)}: ${fault}`);
    }
  });
  const said = coded('recount_different', { count: days, different });
  io.print(inEnglish(said));
  await withStore(config, (db) =>
    noteUpkeep(db, 'check', { at: now(), fine: different === 0, words: writeCoded(said) }),
  );
  if (different > 0)
    throw new Refusal('the days above are damaged. Restore an older backup, or import those days again');
}

export const checkCommands: Command[] = [
  {
    name: 'check',
    args: [],
    summary: 'Verify every sealed day: count it again and compare. Exit code 1 if one differs',
    settings: ['db', 'engine'],
    run: check,
  },
];
