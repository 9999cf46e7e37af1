import * as v from 'valibot';
import { invalid } from '../lib/errors.ts';
import { typedCode } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
import { hasCode, removeCode, setCode, tryCode } from '../store/invitation-codes.ts';
import type { Invitation } from '../store/team.ts';
import { type Html, html } from './html.ts';
import type { Pages } from './link.ts';

export const TypedCode = v.pipe(
  v.string('Must be text.'),
  v.transform((typed) => typed.replaceAll(/\s/g, '')),
);

/**
 * Whether somebody with this link must show that they read the mail of the address. Whoever invites has a link too, and could
 * otherwise make an account in the name of somebody else (test/pages/invite-code.test.ts).
 */
export const needsCode = ({ post }: Pages, { isMailed }: Invitation): boolean => post.works && !isMailed;

/** Mails a code, unless there is one that may still be typed: a page that is loaded again must not make it worthless. */
export function mailCode(
  { db, clock, random, post }: Pages,
  { memberId, owner, email }: Invitation,
  secret: string,
): void {
  const now = seconds(clock);
  const code = typedCode(random);
  const isNew = db.write(() => {
    if (hasCode(db, memberId, now)) return false;
    setCode(db, { memberId, secret, code }, now);
    return true;
  });
  if (isNew) post.sendCode({ owner, email, code }, () => removeCode(db, memberId));
}

export function assertCode(pages: Pages, invitation: Invitation, secret: string, code: string | undefined): void {
  const { memberId, email } = invitation;
  const now = seconds(pages.clock);
  if (code === undefined) {
    mailCode(pages, invitation, secret);
    throw invalid({ code: `Type the code that was mailed to ${email}.` });
  }
  if (tryCode(pages.db, { memberId, secret, code }, now)) return;
  throw invalid({
    code: hasCode(pages.db, memberId, now)
      ? `This is not the code that was mailed to ${email}.`
      : 'This code is not good any more. Open the link again, and another is mailed.',
  });
}

export const codeField = ({ email }: Invitation): Html =>
  html`<label>Code <small>Mailed to ${email}, because others have this link too. It is good for 15 minutes; after that, open the link again.</small><input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required autofocus></label>`;
