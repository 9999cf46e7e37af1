import { sealDue } from '../jobs/seal.ts';
import { listDue } from '../ledger/open-days.ts';
import { compute } from '../ledger/seal.ts';
import { plural } from '../lib/plural.ts';
import { type Command, clock, type Invocation, withStore } from './command.ts';

async function seal({ config, io }: Invocation): Promise<void> {
  await withStore(config, async (db) => {
    const sealer = {
      due: (before: number) => db.read(() => listDue(db, before)),
      compute: (siteDay: Parameters<typeof compute>[1]) => compute(db, siteDay),
    };
    const days = await sealDue({ db, clock, log: () => {} }, sealer);
    io.print(`${plural(days, 'day')} sealed`);
  });
}

export const sealCommands: Command[] = [
  {
    name: 'seal',
    args: [],
    summary: 'Seal every past day that is still open; serve does so by itself',
    settings: ['db'],
    run: seal,
  },
];
