import { Refusal } from '../lib/errors.ts';
import { Domain } from '../lib/fields.ts';
import { plural } from '../lib/plural.ts';
import { DAY, dayOf } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { type Command, type Invocation, withEngine, word } from './command.ts';
import { existingSite } from './site.ts';

const siteOf = (db: Db, typed: string | undefined) => existingSite(db, word(Domain, 'DOMAIN', typed));

const list = ({ args, config, io }: Invocation): Promise<void> =>
  withEngine(config, async ({ db, engine }) => {
    const { id, domain } = siteOf(db, args[0]);
    const imports = await engine.imports(id);
    for (const { id, at, days, hits, first, last } of imports) {
      const range = days > 0 ? `, ${dayOf(first * DAY)} to ${dayOf(last * DAY)}` : '';
      io.print(`${id}: ${plural(hits, 'hit')} of ${plural(days, 'day')}${range}, imported on ${dayOf(at)}`);
    }
    if (imports.length === 0) io.explain(`nothing has been imported into ${domain}`);
  });

const remove = ({ args, config, io }: Invocation): Promise<void> =>
  withEngine(config, async ({ db, engine }) => {
    const { id: siteId, domain } = siteOf(db, args[0]);
    const id = Number(args[1]);
    const found = (await engine.imports(siteId)).find((one) => one.id === id);
    if (!found) throw new Refusal(`${domain} has no import ${args[1]}; daybook import list ${domain} names them`);
    const mixed = await engine.removeImport(siteId, id);
    io.print(`import ${id} removed: ${plural(found.hits, 'hit')} of ${plural(found.days, 'day')}`);
    if (mixed === undefined) return;
    io.explain(
      `what it brought of ${dayOf(mixed * DAY)}, which was still open then, was sealed with that day's own hits and stays`,
    );
  });

export const importsCommands: Command[] = [
  {
    name: 'import list',
    args: ['DOMAIN'],
    summary: 'List what was imported into a site, with the ids by which it can be removed',
    settings: ['db'],
    run: list,
  },
  {
    name: 'import remove',
    args: ['DOMAIN', 'ID'],
    summary: 'Take an import out again, all of it at once; what it took the place of on past days does not come back',
    settings: ['db'],
    run: remove,
  },
];
