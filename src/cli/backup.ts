import { realpathSync, statSync } from 'node:fs';
import { lowerPriority, PRIORITY_BELOW_NORMAL } from '../lib/priority.ts';
import { runPolitely } from '../lib/steps.ts';
import { backup } from '../store/file/backup.ts';
import { openStore } from '../store/file/open-file.ts';
import { restore } from '../store/file/restore.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { type Command, clock, type Invocation, now, withStore } from './command.ts';

const megabytes = (path: string): string => `${(statSync(path).size / 1e6).toFixed(1)} MB`;

const backupCommand: Command = {
  name: 'backup',
  args: ['FILE'],
  summary: 'Back up the database file and check the backup. The server may run',
  settings: ['db'],
  flags: { replace: { help: 'overwrite an older backup' } },
  async run({ args: [file = ''], flags, config, io }: Invocation) {
    // Opening the database file checks it, and updates it if an older daybook wrote it. The backup then has the present
    // version.
    openStore(config.db, { create: false }).close();
    // At low priority, the backup does not slow down a running server.
    lowerPriority(PRIORITY_BELOW_NORMAL);
    await runPolitely(backup(realpathSync(config.db), file, { replace: flags.replace !== undefined }), clock);
    await withStore(config, (db) => noteUpkeep(db, 'backup', { at: now(), fine: true, words: megabytes(file) }));
    io.print(`${file} ${megabytes(file)}`);
  },
};

const restoreCommand: Command = {
  name: 'restore',
  args: ['FILE'],
  summary: 'Restore a backup, all or nothing. Stop the server first',
  settings: ['db'],
  flags: {
    replace: { help: 'replace an existing database file. Its name then ends in .before-restore' },
  },
  async run({ args: [file = ''], flags, config, io }: Invocation) {
    const previous = await runPolitely(restore(file, config.db, { replace: flags.replace !== undefined }), clock);
    io.print(`${config.db} ${megabytes(config.db)}`);
    if (previous) io.explain(`the previous file is now ${previous}. Delete it when you no longer need it`);
  },
};

export const backupCommands = [backupCommand, restoreCommand];
