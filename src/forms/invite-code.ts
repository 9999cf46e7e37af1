// Codes that an invited person gets by mail and types. A code shows that this person can read mail to the invited
// e-mail address.
//
// An invitation has two links. The owner of the team sees the first link, and may pass it on. Without a code, the owner
// could open this link and make an account with the e-mail address of another person. So the first link asks for a code
// of six digits. The server mails the code when somebody opens the first link. Only the mail of the invitation contains
// the second link, so the second link needs no code. If the server cannot send mails, there are no codes.
//
// A code works for 15 minutes, or until five wrong codes were typed. While a code works, loading the page again sends
// no second code. `invite.ts` calls these functions.

import * as v from 'valibot';
import { makeRateProblem } from '../auth/identity.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { makeTypedCode } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
import { codeLimits } from '../mail/limits.ts';
import type { Db } from '../store/db.ts';
import { countMail } from '../store/mail/mail-quotas.ts';
import { hasCode, removeCode, setCode, tryCode } from '../store/people/invitation-codes.ts';
import type { Invitation } from '../store/people/team.ts';
import { type Html, html } from './html.ts';
import type { Pages } from './link.ts';
import type { PageSay } from './say.ts';

export const TypedCode = v.pipe(
  v.string(fault('no_text')),
  v.transform((typed) => typed.replaceAll(/\s/g, '')),
);

/** Mails a code, unless an earlier code still works. Throws if too many codes were mailed. */
export function mailCode({ db, clock, random, post }: Pages, invitation: Invitation, secret: string): void {
  const { memberId, owner, email } = invitation;
  const now = seconds(clock);
  const code = makeTypedCode(random);
  const isNew = db.write(() => {
    if (hasCode(db, memberId, now)) return false;
    const full = countMail(db, codeLimits(email), now);
    if (full) {
      const taken = { allowed: false, remaining: 0, resetSeconds: full.seconds };
      throw makeRateProblem(clock, taken, {}, coded('no_code_mailed', { email, limit: [full.reached] }));
    }
    setCode(db, { memberId, secret, code }, now);
    return true;
  });
  if (isNew) post.sendCode({ owner, email, code }, () => forgetCode(db, memberId));
}

export function assertCode(pages: Pages, invitation: Invitation, secret: string, code: string | undefined): void {
  const { memberId, email } = invitation;
  const now = seconds(pages.clock);
  if (code === undefined) {
    mailCode(pages, invitation, secret);
    throw invalid({ code: coded('type_code', { email }) });
  }
  if (tryCode(pages.db, { memberId, secret, code }, now)) return;
  throw invalid({
    code: hasCode(pages.db, memberId, now) ? coded('wrong_mailed_code', { email }) : coded('code_lapsed'),
  });
}

function forgetCode(db: Db, memberId: number): void {
  try {
    removeCode(db, memberId);
  } catch {
    // If the disk is full, the code cannot be removed. Then no new code is mailed until the 15 minutes of this code are
    // over.
  }
}

/**
 * Tells whether the opened link asks for a code. The link in the mail of the invitation needs no code, because only a
 * reader of that mail has this link. Tested by test/forms/invite-code.test.ts.
 */
export const needsCode = ({ post }: Pages, { isMailed }: Invitation): boolean => post.works && !isMailed;

export const writeCodeField = ({ email }: Invitation, { t }: PageSay): Html =>
  html`<label>${t('Code')} <small>${t('You will get a code at {email}. It is valid for 15 minutes. To get a new code, open the link again.', { email })}</small><input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required autofocus></label>`;
