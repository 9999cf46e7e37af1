import type { MailedSite } from '../store/mail/mailings.ts';
import type { MailKind, Occasion, Sources } from './kind.ts';
import type { Letter } from './letter.ts';
import type { Voice } from './voice.ts';

/**
 * Writes a letter. If that fails, for example because a day is damaged, the reason is logged and the result is
 * undefined. So a fault at one site does not stop the mails of other sites (test/jobs/mail.test.ts). A minute later,
 * the job tries to write the letter again.
 */
export async function tryLetter(
  deps: Sources & { stop: AbortSignal },
  { name, letter }: MailKind,
  site: MailedSite,
  occasion: Occasion,
  voice: Voice,
): Promise<Letter | undefined> {
  try {
    return await letter(deps, site, occasion, voice);
  } catch (error) {
    if (deps.stop.aborted) return undefined;
    const details = { kind: name, site: site.id, reason: (error as Error).message };
    deps.log('a letter could not be written; it is tried again in a minute', details);
    return undefined;
  }
}
