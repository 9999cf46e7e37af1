import { unsealed } from '../engine.ts';
import { forgetRemovedSites } from '../jobs/jobs.ts';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { type Command, type Invocation, withEngine } from './command.ts';

async function seal({ config, io }: Invocation): Promise<void> {
  await withEngine(config, async ({ db, engine }) => {
    const night = await engine.seal();
    await forgetRemovedSites(db, engine);
    io.print(`${plural(night.days, 'day')} sealed`);
    if (night.failed.length > 0) throw new Refusal(unsealed(night));
  });
}

export const sealCommands: Command[] = [
  {
    name: 'seal',
    args: [],
    summary: 'Seal every past day that is still open; a running server does so after midnight',
    settings: ['db'],
    run: seal,
  },
];
