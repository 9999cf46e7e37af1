import { realpathSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { politely } from '../lib/steps.ts';
import { backup } from '../store/backup.ts';
import { openStore } from '../store/open.ts';
import { restore } from '../store/restore.ts';
import { noteUpkeep } from '../store/upkeep.ts';
import { type Command, clock, type Invocation, now, withStore } from './command.ts';

const megabytes = (path: string): string => `${(statSync(path).size / 1e6).toFixed(1)} MB`;

const back: Command = {
  name: 'backup',
  args: ['FILE'],
  summary: 'Write a copy of everything, also while the server runs; it is checked before it gets its name',
  settings: ['db'],
  flags: { replace: { help: 'write it in the place of an older copy' } },
  async run({ args: [file = ''], flags, config, io }: Invocation) {
    // Opened for writing once, which says clearly what is wrong with a file, and brings an older one up to date.
    openStore(config.db, { create: false }).close();
    // Where processors are short, the server goes first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    await politely(backup(realpathSync(config.db), file, { replace: flags.replace !== undefined }), clock);
    await withStore(config, (db) => noteUpkeep(db, 'backup', { at: now(), fine: true, words: megabytes(file) }));
    io.print(`${file} ${megabytes(file)}`);
  },
};

const forth: Command = {
  name: 'restore',
  args: ['FILE'],
  summary: 'Put a copy in the place of the file, all or nothing; the server must be stopped',
  settings: ['db'],
  flags: { replace: { help: 'do so where a file is; it is kept beside, as FILE.before-restore' } },
  async run({ args: [file = ''], flags, config, io }: Invocation) {
    const kept = await politely(restore(file, config.db, { replace: flags.replace !== undefined }), clock);
    io.print(`${config.db} ${megabytes(config.db)}`);
    if (kept) io.explain(`what was there is kept as ${kept}; delete it when it is not needed any more`);
  },
};

export const backupCommands = [back, forth];
