import { Refusal } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { type Command, type Invocation, validated, withEngine } from './command.ts';
import { existingSite } from './site.ts';

const findSite = (db: Db, typed: string | undefined) => existingSite(db, validated(Domain, 'DOMAIN', typed));

const list = ({ args, config, io }: Invocation): Promise<void> =>
  withEngine(config, async ({ db, engine }) => {
    const site = findSite(db, args[0]);
    const { id, domain } = site;
    const imports = await engine.imports.list(id);
    for (const { id, at, days, hits, first, last } of imports) {
      const range = days > 0 ? `, ${formatDay(first * DAY)} to ${formatDay(last * DAY)}` : '';
      io.print(
        `${id}: ${plural(hits, 'hit')} of ${plural(days, 'day')}${range}, imported on ${formatDay(findSiteDay(site, at) * DAY)}`,
      );
    }
    if (imports.length === 0) io.explain(`nothing has been imported into ${domain}`);
  });

const remove = ({ args, config, io }: Invocation): Promise<void> =>
  withEngine(config, async ({ db, engine }) => {
    const { id: siteId, domain } = findSite(db, args[0]);
    const id = Number(args[1]);
    const found = (await engine.imports.list(siteId)).find((one) => one.id === id);
    if (!found) throw new Refusal(`${domain} has no import ${args[1]}; daybook import list ${domain} lists them`);
    const mixed = await engine.imports.remove(siteId, id);
    io.print(`import ${id} removed: ${plural(found.hits, 'hit')} of ${plural(found.days, 'day')}`);
    if (mixed === undefined) return;
    io.explain(
      `its hits of ${formatDay(mixed * DAY)} stay: that day was open at the time of the import, and was sealed together with other hits`,
    );
  });

export const importsCommands: Command[] = [
  {
    name: 'import list',
    args: ['DOMAIN'],
    summary: 'List the imports of a site, with the ids for import remove',
    settings: ['db', 'engine'],
    run: list,
  },
  {
    name: 'import remove',
    args: ['DOMAIN', 'ID'],
    summary: 'Remove an import, all of it at once; hits of past days that it replaced do not come back',
    settings: ['db', 'engine'],
    run: remove,
  },
];
