import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { Refusal } from '../lib/errors.ts';
import { hashOf, randomText } from '../lib/secrets.ts';
import { iso } from '../lib/time.ts';
import { addCollector, findCollector, listCollectors, MOST_COLLECTORS, removeCollector } from '../store/collectors.ts';
import { type Command, now, printTable, validated, withStore } from './command.ts';

const Name = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{1,60}$/, 'Takes letters, digits, dots, dashes and underscores, at most 60.'),
);

const SECRET_LENGTH = 43;

const add: Command = {
  name: 'collectors add',
  args: ['NAME'],
  summary: 'Add a collector, and print its secret for --secret-file: it is never shown again',
  settings: ['db'],
  async run({ args, config, io }) {
    const name = validated(Name, 'NAME', args[0]);
    await withStore(config, (db) => {
      const secret = randomText(randomBytes, SECRET_LENGTH);
      db.write(() => {
        if (findCollector(db, name))
          throw new Refusal(`there is a collector ${name}; choose another name, or retire that one first`);
        const number = addCollector(db, { name, hash: hashOf(secret), now: now() });
        if (number === undefined)
          throw new Refusal(`there are ${MOST_COLLECTORS} collectors, which is all there can be`);
      });
      io.print(secret);
    });
  },
};

const retire: Command = {
  name: 'collectors retire',
  args: ['NAME'],
  summary: 'Give up a collector: days are sealed without what it has not sent, and its secret works no more',
  settings: ['db'],
  async run({ args: [name = ''], config, io }) {
    await withStore(config, (db) => {
      db.write(() => {
        const collector = findCollector(db, name);
        if (!collector) throw new Refusal(`there is no collector ${name}; daybook collectors lists them`);
        removeCollector(db, collector.number);
      });
      io.print(`collector ${name} retired`);
    });
  },
};

const list: Command = {
  name: 'collectors',
  args: [],
  summary: 'List the collectors: when each was heard, and up to when it has sent what it took',
  settings: ['db'],
  async run({ config, io }) {
    await withStore(config, (db) => {
      const rows = listCollectors(db).map(({ name, seenAt, status }) =>
        status
          ? [
              name,
              iso(seenAt),
              iso(status.until),
              status.parcelAt === null ? 'none' : iso(status.parcelAt),
              `${status.bytes}`,
              status.version,
            ]
          : [name, 'never', '-', '-', '-', '-'],
      );
      printTable(io, ['NAME', 'HEARD', 'SENT-UNTIL', 'LAST-PARCEL', 'OUTBOX-BYTES', 'VERSION'], rows);
    });
  },
};

export const collectorsCommands = [add, retire, list];
