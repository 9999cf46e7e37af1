// The page on which a person with an account joins a team. Before that, a provider or a proxy has vouched for the
// person.
//
// Joining ends all earlier access to the account. Another person may have made the account with this e-mail address
// (invite.ts), and must not get into the team. The vouched person must confirm on this page, because opening the link
// is not enough. A page of another website may open the link, and the provider may sign people in without asking.
//
// Invariant: the page works for 10 minutes, for one invitation, in a session of the vouched person. Its URL contains a
// signed text, the proof, which only the browser of the vouched person gets. A person who signs in with a password gets
// no proof.
//
// Example: kim@example.com opens an invitation and signs in with the provider. vouched.ts leads to /invite/join/PROOF,
// and the button "Join" accepts the invitation. `mount.ts` mounts the form.

import { assertSameOrigin, HALF_SECONDS } from '../auth/session.ts';
import { Problem } from '../lib/errors.ts';
import { redirect } from '../lib/http/answer.ts';
import { seconds } from '../lib/time.ts';
import type { SignedIn } from '../store/people/sessions.ts';
import { readSignedWords, signWords } from '../store/people/signed-cookies.ts';
import { acceptInvitation, findInvitation, type Invitation } from '../store/people/team.ts';
import { removeSecrets } from '../store/people/users.ts';
import { recordOnPage } from './audit.ts';
import type { C, Form } from './form.ts';
import { html } from './html.ts';
import type { Pages } from './link.ts';
import { readSignedIn, startSession } from './session.ts';

/** Writes the path of the page. Call this function only when a provider or proxy has just vouched for the person. */
export function writeJoinPath({ db, clock, random }: Pages, userId: number, secret: string): string {
  return `/invite/join/${signWords(db, random, ['join', seconds(clock) + HALF_SECONDS, userId, secret])}`;
}

export const joinForm = (pages: Pages): Form => ({
  path: '/invite/join/:secret',
  form(c, _typed, { t }) {
    const found = findProven(pages, c);
    if (!found) return redirect('/');
    const { owner, role, email } = found.invitation;
    return {
      title: t('Join the team of {owner}', { owner }),
      body: html`<p>${t('Account: {email}.', { email })}</p>
<p>${t('You are invited as a {role}. If you join, the other sessions, the tokens, the password and the second factors of your account end.', { role: t(role) })}</p>
<form method="post"><button>${t('Join')}</button></form>
<p class="soft"><a href="/">${t('Go to the dashboard')}</a></p>`,
    };
  },
  async send(c) {
    assertSameOrigin(c.env.incoming.headers, pages.config.baseUrl);
    const { db, log } = pages;
    const { userId, reauthenticatedAt } = db.write(() => {
      const found = findProven(pages, c);
      if (!found) throw new Problem('not_found');
      const { who, invitation } = found;
      acceptInvitation(db, invitation, who.userId);
      recordOnPage(pages, who.userId, { action: 'add', noun: 'team', name: who.email }, invitation.accountId);
      const ended = removeSecrets(db, who.userId);
      log('invitation accepted, password, sessions and tokens ended', { user: who.userId, ...ended });
      return who;
    });
    return startSession(pages, c, userId, redirect('/'), reauthenticatedAt);
  },
});

function findProven(pages: Pages, c: C): { who: SignedIn; invitation: Invitation } | undefined {
  const { db, clock } = pages;
  const now = seconds(clock);
  const who = readSignedIn(pages, c);
  const [kind, end, id, secret = ''] = readSignedWords(db, c.req.param('secret') ?? '') ?? [];
  if (!who || kind !== 'join' || Number(end) <= now || id !== String(who.userId)) return undefined;
  const invitation = findInvitation(db, secret, now);
  return invitation?.email === who.email ? { who, invitation } : undefined;
}
