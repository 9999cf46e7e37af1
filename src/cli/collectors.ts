// Commands for collectors, the machines that receive hits for a cluster. They add, list and retire collectors.
//
// A collector has a secret, which is printed once when the collector is added. A retiring collector first sends all its
// hits. With --lost, the collector retires at once, and its unsent hits are lost. commands.ts lists these commands.

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { Refusal } from '../lib/errors.ts';
import { writeSecretFile } from '../lib/secret-file.ts';
import { hashSecret, makeRandomText } from '../lib/secrets.ts';
import { iso, MINUTE } from '../lib/time.ts';
import {
  addCollector,
  askToRetire,
  findCollector,
  listCollectors,
  MOST_COLLECTORS,
  retireCollector,
} from '../store/cluster/collectors.ts';
import { type Command, now, validated, withStore } from './command.ts';
import { LIST_FLAGS, printTable } from './table.ts';

const Name = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{1,60}$/, 'Takes letters, digits, dots, dashes and underscores, at most 60.'),
);

const SECRET_LENGTH = 43;

const add: Command = {
  name: 'collectors add',
  args: ['NAME'],
  summary: 'Add a collector, and print its secret for --secret-file once',
  settings: ['db'],
  flags: { 'secret-file': { value: 'FILE', help: 'write the secret to this new file, which only you can read' } },
  async run({ args, flags, config, io }) {
    const name = validated(Name, 'NAME', args[0]);
    const file = flags['secret-file'];
    await withStore(config, (db) => {
      const secret = makeRandomText(randomBytes, SECRET_LENGTH);
      db.write(() => {
        if (findCollector(db, name))
          throw new Refusal(`there is a collector ${name} already. Choose another name, or retire that one first`);
        const number = addCollector(db, { name, hash: hashSecret(secret), now: now() });
        if (number === undefined)
          throw new Refusal(
            `all ${MOST_COLLECTORS} numbers of collectors are used. If you retire a collector without --lost, its number is free 30 days later`,
          );
        // The secret is written to its file inside the transaction. If the file cannot be written, the collector is not
        // added.
        if (file !== undefined) writeSecretFile(file, secret);
      });
      if (file === undefined) io.print(secret);
      else io.explain(`the secret of collector ${name} is in ${file}. Move this file to the machine of the collector`);
    });
  },
};

/**
 * A warning that `collectors retire` prints if the collector was ever started. Its machine still has the password of
 * the cluster.
 */
const KNOWS =
  'the machine of the collector knows the password of the cluster. Change the password, see "A stolen secret" in docs/cluster.md';

const retire: Command = {
  name: 'collectors retire',
  args: ['NAME'],
  summary: 'Remove a collector: it sends the hits that it has, then its secret is revoked',
  settings: ['db'],
  flags: { lost: { help: 'its disk is lost: retire it at once. Its unsent hits are lost' } },
  async run({ args: [name = ''], flags, config, io }) {
    await withStore(config, (db) => {
      const isLost = flags.lost !== undefined;
      const collector = findCollector(db, name);
      if (!collector) throw new Refusal(`there is no collector ${name}. To list all, run daybook collectors`);
      const { status, number, seenAt } = collector;
      if (!isLost && status) {
        db.write(() => askToRetire(db, number));
        io.print(`collector ${name} takes no more hits. It retires once it has sent the hits that it has`);
        if (now() - seenAt > MINUTE)
          io.explain(`last contact: ${iso(seenAt)}. Start the collector, so that it can send its hits`);
        io.explain(
          `daybook collectors lists it until then. If its disk is lost, run daybook collectors retire ${name} --lost`,
        );
      } else {
        // A collector without a status was never started, so no hits can be lost.
        const retiring = { now: now(), isLost: isLost && status !== undefined };
        const short = db.write(() => retireCollector(db, collector, retiring));
        io.print(`collector ${name} retired${status ? `. Its unsent hits since ${iso(status.until)} are lost` : ''}`);
        for (const url of short)
          io.explain(`${new URL(url).host} lacks hits that a replica has. It is filled when the replica responds`);
      }
      if (status) io.explain(KNOWS);
    });
  },
};

const list: Command = {
  name: 'collectors',
  args: [],
  summary: 'List the collectors: last contact, and how far each has delivered',
  settings: ['db'],
  flags: LIST_FLAGS,
  async run(invocation) {
    await withStore(invocation.config, (db) => {
      const rows = listCollectors(db).map(({ name, seenAt, status, isRetiring }) =>
        status
          ? [
              name,
              isRetiring ? 'retiring' : (status.closed ?? 'takes-hits'),
              iso(seenAt),
              iso(status.until),
              status.parcelAt === null ? 'none' : iso(status.parcelAt),
              status.bytes,
              status.version,
            ]
          : [name, '-', 'never', '-', '-', '-', '-'],
      );
      printTable(invocation, ['NAME', 'STATE', 'HEARD', 'SENT-UNTIL', 'LAST-PARCEL', 'OUTBOX-BYTES', 'VERSION'], rows);
    });
  },
};

export const collectorsCommands = [add, retire, list];
