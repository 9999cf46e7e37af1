import { recount } from '../ledger/recount.ts';
import { Refusal } from '../lib/errors.ts';
import { dayOf } from '../lib/time.ts';
import { type Command, type Invocation, withReader } from './command.ts';

function check({ config, io }: Invocation): void {
  withReader(config, (db) => {
    let [days, different] = [0, 0];
    for (const { domain, day, faults } of recount(db)) {
      days++;
      if (faults.length > 0) different++;
      for (const fault of faults) io.print(`${domain} ${dayOf(day * 86_400)}: ${fault}`);
    }
    io.print(`${days} sealed days counted again, ${different} differ`);
    if (different > 0) throw new Refusal('the file is damaged there; restore a copy of it, or import those days again');
  });
}

export const checkCommands: Command[] = [
  {
    name: 'check',
    args: [],
    summary: 'Count every sealed day again and compare; exit code 1 where one differs',
    settings: ['db'],
    run: check,
  },
];
