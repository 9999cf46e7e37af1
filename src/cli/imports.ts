import { Refusal } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { type Command, type Invocation, validated, withEngine } from './command.ts';
import { existingSite } from './site.ts';
import { LIST_FLAGS, printTable } from './table.ts';

const findSite = (db: Db, typed: string | undefined) => existingSite(db, validated(Domain, 'DOMAIN', typed));

const list = (invocation: Invocation): Promise<void> =>
  withEngine(invocation.config, async ({ db, engine }) => {
    const site = findSite(db, invocation.args[0]);
    const imports = await engine.imports.list(site.id);
    const rows = imports.map(({ id, at, days, hits, first, last }) => {
      const [from, to] = days > 0 ? [formatDay(first * DAY), formatDay(last * DAY)] : ['-', '-'];
      return [id, hits, days, from, to, formatDay(findSiteDay(site, at) * DAY)];
    });
    printTable(invocation, ['ID', 'HITS', 'DAYS', 'FROM', 'TO', 'IMPORTED'], rows, {
      none: `nothing has been imported into ${site.domain}`,
    });
  });

const remove = ({ args, config, io }: Invocation): Promise<void> =>
  withEngine(config, async ({ db, engine }) => {
    const { id: siteId, domain } = findSite(db, args[0]);
    const id = Number(args[1]);
    const found = (await engine.imports.list(siteId)).find((one) => one.id === id);
    if (!found) throw new Refusal(`${domain} has no import ${args[1]}. To list all, run daybook import list ${domain}`);
    const mixed = await engine.imports.remove(siteId, id);
    io.print(`import ${id} removed: ${plural(found.hits, 'hit')} of ${plural(found.days, 'day')}`);
    if (mixed === undefined) return;
    io.explain(
      `its hits of ${formatDay(mixed * DAY)} stay: that day was open during the import, and was sealed together with other hits`,
    );
  });

export const importsCommands: Command[] = [
  {
    name: 'import list',
    args: ['DOMAIN'],
    summary: 'List the imports of a site, with the ids for import remove',
    settings: ['db', 'engine'],
    flags: LIST_FLAGS,
    run: list,
  },
  {
    name: 'import remove',
    args: ['DOMAIN', 'ID'],
    summary: 'Remove a whole import. Hits of past days that it replaced do not come back',
    settings: ['db', 'engine'],
    run: remove,
  },
];
