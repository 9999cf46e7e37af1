import { Refusal } from '../lib/errors.ts';
import { iso } from '../lib/time.ts';
import { listAllOutages, removeOutage } from '../store/server/outages.ts';
import { type Command, withStore } from './command.ts';
import { LIST_FLAGS, printTable } from './table.ts';

const list: Command = {
  name: 'outages',
  args: [],
  summary: 'List outages (times without collected hits), with the ids for outages remove',
  settings: ['db'],
  flags: LIST_FLAGS,
  async run(invocation) {
    await withStore(invocation.config, (db) => {
      const rows = listAllOutages(db).map(({ id, from, to, reason }) => [id, iso(from), iso(to), reason]);
      printTable(invocation, ['ID', 'FROM', 'TO', 'REASON'], rows);
    });
  },
};

const remove: Command = {
  name: 'outages remove',
  args: ['ID'],
  summary: 'Remove an outage that did not happen: reports show its days as complete again',
  settings: ['db'],
  async run({ args: [typed = ''], config, io }) {
    await withStore(config, (db) => {
      const outage = listAllOutages(db).find(({ id }) => `${id}` === typed);
      if (!outage) throw new Refusal(`there is no outage ${typed}. To list all, run daybook outages`);
      db.write(() => removeOutage(db, outage.id));
      io.print(`outage ${outage.id} removed: ${iso(outage.from)} to ${iso(outage.to)}`);
    });
  },
};

// The longer name "outages remove" comes first. Otherwise, its command line would be read as "outages" with arguments.
export const outagesCommands = [remove, list];
