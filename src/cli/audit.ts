// Adds commands to the audit log. `daybook log` lists the log, and each change by a command in `AUDITED` adds an entry.
//
// Invariant: an entry has the name and the arguments of a command, but no flags, because a flag may contain a secret.
// An entry names a file without its folder, because the owner of a site need not know the folders of the server. The
// entry is added after the command, so a failed command adds none.
//
// Example: `daybook site change old.example --domain new.example` adds an entry. The field `way` says how the change
// was made, here "command". The field `name` is "site change old.example". The entry belongs to the account of the
// site. run.ts calls `audited`.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { iso } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { type AuditEntry, addAuditEntry, listAuditEntries } from '../store/people/audit-entries.ts';
import { findUser } from '../store/people/users.ts';
import { findLastChange, linkChanges } from '../store/sites/changes.ts';
import { findReportedSite, findSiteAccount } from '../store/sites/sites.ts';
import { type Command, type Invocation, now, validated, withStore } from './command.ts';
import { LIST_FLAGS, printTable } from './table.ts';

/**
 * Commands that change users, plans, sites, figures or the cluster. `restore` is not in the list, because a restored
 * file must equal its backup in every byte (test/cli/backup.program.test.ts).
 */
export const AUDITED: ReadonlySet<string> = new Set([
  ...['user add', 'user password', 'user email', 'user change', 'user remove', 'token add', 'token revoke'],
  ...['plan set', 'plan use', 'plan end', 'plan usage', 'site add', 'site change', 'site remove', 'exclude', 'include'],
  ...['note', 'note remove', 'import', 'import remove', 'import remove-searches', 'delete', 'outages remove'],
  ...['receipts rotate', 'move', 'collectors add', 'collectors retire'],
  ...['cluster fill', 'cluster accept', 'cluster adopt', 'cluster unknown'],
  ...['cluster add-shard', 'cluster add-replica', 'cluster remove', 'cluster replace'],
]);

/**
 * True if the flags or words of a command say that it changes nothing. Also true for an import with --json: a server
 * started the import, and the server adds the entry itself (api/audit.ts).
 */
const doesOnlyLook = ({ name }: Command, { flags, args }: Invocation): boolean =>
  flags['dry-run'] !== undefined ||
  (name === 'import' && flags.json !== undefined) ||
  (name === 'cluster unknown' && flags.delete === undefined) ||
  (name === 'plan usage' && args.length < 2);

/** Runs a command. If the command changes something, adds an entry to the audit log afterwards. */
export async function audited(command: Command, invocation: Invocation): Promise<void> {
  const { config, args } = invocation;
  if (!AUDITED.has(command.name) || doesOnlyLook(command, invocation)) return command.run(invocation);
  // A command may delete or add the site or user that it names. For this reason, the site or user is looked up both
  // before and after the command.
  let subject: Subject = NOTHING;
  let last: number | undefined;
  const look = (db: Db) => {
    last ??= findLastChange(db);
    if (subject === NOTHING) subject = findSubject(db, args);
  };
  if (existsSync(config.db)) await withStore(config, look);
  await command.run(invocation);
  await withStore(config, (db) => {
    look(db);
    const { siteId, ...about } = subject;
    const entry = addAuditEntry(db, {
      ...{ at: now(), email: '', way: 'command', way_name: '', ...about },
      ...{
        action: 'run',
        noun: 'command',
        name: [command.name, ...args.map((word, i) => (command.args[i] === 'FILE' ? basename(word) : word))].join(' '),
        fields: [],
      },
    });
    linkChanges(db, entry, last ?? findLastChange(db), siteId);
  });
}

/** The account and the site that a command was about. */
type Subject = { accountId: number | null; site: string; siteId?: number };
const NOTHING: Subject = { accountId: null, site: '' };

function findSubject(db: Db, args: readonly string[]): Subject {
  for (const word of args) {
    const site = findReportedSite(db, word);
    if (site) return { accountId: findSiteAccount(db, site.id) ?? null, site: site.domain, siteId: site.id };
    const user = findUser(db, word);
    if (user) return { accountId: user.accountId, site: '' };
  }
  return NOTHING;
}

const USUAL_ENTRIES = 100;
const Limit = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,5}$/, fault('out_of_bounds', { least: 1, most: 999_999 })),
  v.transform(Number),
);

const describeWay = ({ way, way_name: name }: AuditEntry): string => (name === '' ? way : `${way} ${name}`);

export const auditCommands: readonly Command[] = [
  {
    name: 'log',
    args: [],
    summary: 'List what people, tokens and commands changed in the last 400 days, the latest first',
    settings: ['db'],
    flags: { ...LIST_FLAGS, limit: { value: 'N', help: `how many entries, ${USUAL_ENTRIES} by default` } },
    async run(invocation) {
      const limit = validated(Limit, '--limit', invocation.flags.limit ?? `${USUAL_ENTRIES}`);
      await withStore(invocation.config, (db) => {
        const rows = listAuditEntries(db, { limit }).map((entry) => [
          ...[entry.id, iso(entry.at), entry.email || '-', describeWay(entry).replaceAll(' ', '\u00a0')],
          ...[entry.site || '-', entry.action, entry.noun, [entry.name, ...entry.fields].filter(Boolean).join(' ')],
        ]);
        const header = ['ID', 'AT', 'EMAIL', 'WAY', 'SITE', 'ACTION', 'NOUN', 'WHAT'];
        printTable(invocation, header, rows, { none: 'nothing was changed yet' });
      });
    },
  },
];
