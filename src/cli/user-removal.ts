// The command `user remove`. A person who owns sites is removed only with --force, because all statistics of these
// sites are deleted too. Removing the owner of the first account also needs --force, because only this person may open
// the page "Server". After the removal, the owner of the next account may open this page. If no account is left, the
// next start of the server prints a link for creating a user. Without --force, the command says what would be lost.
//
// Invariant: after a removal, no session, token or link of that person gives any access. commands.ts lists the command.

import { Refusal } from '../lib/errors.ts';
import { Email } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import type { Db } from '../store/db.ts';
import { findNextFirst, isFirstAccount } from '../store/people/accounts.ts';
import { listMembers, listTeams } from '../store/people/team.ts';
import { countAccess, removeUser, type User } from '../store/people/users.ts';
import { listOwnedSites, removeSite } from '../store/sites/sites.ts';
import { type Command, now, validated, withStore } from './command.ts';
import { existingUser } from './user.ts';

type Loss = {
  sites: { id: number; domain: string }[];
  small: string[];
  isFirst: boolean;
  nextFirst: string | undefined;
};

function findLoss(db: Db, { id, accountId }: User): Loss {
  const { sessions, tokens } = countAccess(db, id, now());
  const [people, teams] = [listMembers(db, accountId).length, listTeams(db, id).length];
  return {
    sites: listOwnedSites(db, accountId),
    small: [
      ...(tokens > 0 ? [plural(tokens, 'token')] : []),
      ...(sessions > 0 ? [plural(sessions, 'session')] : []),
      ...(people > 0 ? [`a team of ${people}`] : []),
      ...(teams > 0 ? [`membership in ${plural(teams, 'team')}`] : []),
    ],
    isFirst: isFirstAccount(db, accountId),
    nextFirst: findNextFirst(db, accountId),
  };
}

const siteWords = ({ sites }: Loss): string =>
  `${plural(sites.length, 'site')} (${sites.map(({ domain }) => domain).join(', ')})`;

const handOver = ({ nextFirst }: Loss, tense: 'would' | 'will'): string =>
  nextFirst === undefined
    ? `nobody ${tense} be left. The next start of the server prints a set-up link`
    : `${nextFirst} ${tense} be the one who sees the Server page`;

function assertMeant(email: string, loss: Loss): void {
  const reasons = [
    ...(loss.sites.length > 0 ? [`owns ${siteWords(loss)}, which would be deleted with all statistics`] : []),
    ...(loss.isFirst ? [`has the first account of this server: ${handOver(loss, 'would')}`] : []),
  ];
  if (reasons.length > 0) throw new Refusal(`${email} ${reasons.join(', and ')}. To remove them anyway, use --force`);
}

export const removal: Command = {
  name: 'user remove',
  args: ['EMAIL'],
  summary: 'Permanently remove a user with their account, sessions, tokens and team',
  settings: ['db'],
  flags: { force: { help: 'even if they own sites or have the first account. Their sites are deleted' } },
  async run({ args, flags, config, io }) {
    const email = validated(Email, 'EMAIL', args[0]);
    await withStore(config, (db) => {
      const loss = db.write(() => {
        const user = existingUser(db, email);
        const found = findLoss(db, user);
        if (flags.force === undefined) assertMeant(email, found);
        for (const { id } of found.sites) removeSite(db, id);
        removeUser(db, user);
        return found;
      });
      const gone = [...(loss.sites.length > 0 ? [siteWords(loss)] : []), ...loss.small];
      io.print(gone.length === 0 ? `${email} removed` : `${email} removed, and with them ${gone.join(', ')}`);
      if (loss.sites.length > 0) io.explain('their hits are deleted within minutes while a server runs');
      if (loss.isFirst) io.explain(`from now on ${handOver(loss, 'will')}`);
    });
  },
};
