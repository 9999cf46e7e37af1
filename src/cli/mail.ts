// The command `daybook mail preview` prints an e-mail about a site, as it would be sent now. Nothing is sent.
//
// Example: `daybook mail preview example.com --kind monthly --html` prints the HTML of the monthly report.

import { LANGUAGES } from '../lang/languages.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { makeFooter } from '../mail/footer.ts';
import { writeLetter } from '../mail/html.ts';
import type { Sources } from '../mail/kind.ts';
import { MAILED } from '../mail/kinds.ts';
import { voiceIn } from '../mail/voice.ts';
import { makeAsk } from '../stats/ask.ts';
import { findMailedSiteByDomain } from '../store/mail/mailings.ts';
import { type Command, type Invocation, now, publicUrl, validated, withEngine } from './command.ts';
import { unknownSite } from './site.ts';

const NAMES = MAILED.map(({ name }) => name).join(', ');

async function preview({ args, flags, config: given, io }: Invocation): Promise<void> {
  const domain = validated(Domain, 'DOMAIN', args[0]);
  const kind = MAILED.find(({ name }) => name === (flags.kind ?? 'weekly'));
  if (!kind) throw new Refusal(`--kind takes one of ${NAMES}, not "${flags.kind}"`, USAGE);
  const language = LANGUAGES.find((one) => one === (flags.language ?? 'en'));
  if (!language) throw new Refusal(`--language takes one of ${LANGUAGES.join(', ')}, not "${flags.language}"`, USAGE);
  if (flags.html !== undefined && flags.text !== undefined) throw new Refusal('--html or --text, not both', USAGE);
  await withEngine(given, async ({ db, engine }) => {
    const config = { ...given, baseUrl: publicUrl(db, given) };
    const site = findMailedSiteByDomain(db, domain);
    if (!site) throw unknownSite(domain);
    const { queries, imports } = engine;
    const sources: Sources = { config, db, queries, imports, ask: makeAsk(queries), log: io.explain };
    const moment = now();
    const occasion = {
      at: kind.preview(moment, site),
      createdAt: moment,
      endedAt: null,
      now: moment,
      aliveSince: undefined,
    };
    const voice = voiceIn(language);
    const letter = await kind.letter(sources, site, occasion, voice);
    if (!letter) return io.explain(`No mail is sent: ${kind.nothing}.`);
    // A real unsubscribe link would work for anybody who sees the terminal. The preview contains the text SECRET in
    // place of the secret.
    const mail = writeLetter(letter, makeFooter(domain, `${config.baseUrl}/unsubscribe/SECRET`, voice), voice);
    io.print(flags.html === undefined ? `Subject: ${mail.subject}\n\n${mail.text.trimEnd()}` : mail.html.trimEnd());
  });
}

export const mailCommands: Command[] = [
  {
    name: 'mail preview',
    args: ['DOMAIN'],
    summary: 'Print an e-mail about a site, as it would be now. Nothing is sent',
    settings: ['db', 'engine', 'base-url', 'script'],
    flags: {
      kind: { value: 'KIND', help: `${NAMES} (default weekly)` },
      language: { value: 'LANGUAGE', help: `${LANGUAGES.join(', ')} (default en)` },
      html: { help: 'print the HTML' },
      text: { help: 'print the plain text (default)' },
    },
    run: preview,
  },
];
