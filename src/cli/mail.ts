import { letterNow } from '../jobs/mail.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/fields.ts';
import { written } from '../mail/html.ts';
import { asker } from '../stats/ask.ts';
import { findMailedSiteByDomain } from '../store/mailings.ts';
import { type Command, type Invocation, now, reachedAt, withEngine, word } from './command.ts';
import { unknownSite } from './site.ts';

const KINDS = ['weekly', 'traffic', 'silence'] as const;

async function preview({ args, flags, config: given, io }: Invocation): Promise<void> {
  const domain = word(Domain, 'DOMAIN', args[0]);
  const kind = KINDS.find((one) => one === (flags.kind ?? 'weekly'));
  if (!kind) throw new Refusal(`--kind takes one of ${KINDS.join(', ')}, not "${flags.kind}"`, USAGE);
  if (flags.html !== undefined && flags.text !== undefined) throw new Refusal('--html or --text, not both', USAGE);
  await withEngine(given, async ({ db, engine }) => {
    const config = { ...given, baseUrl: reachedAt(db, given) };
    const site = findMailedSiteByDomain(db, domain);
    if (!site) throw unknownSite(domain);
    const letter = await letterNow({ config, db, ask: asker(engine), engine }, kind, site, now());
    if (!letter)
      return io.explain(
        'No mail is sent: nobody came in the last whole week, Monday to Sunday, nor in the week before.',
      );
    const because = `You get this because you may see the statistics of ${domain}.`;
    // Whoever reads what a terminal shows must not be able to end the mails of somebody.
    const mail = written(letter, { because, unsubscribe: `${config.baseUrl}/unsubscribe/SECRET` });
    io.print(flags.html === undefined ? `Subject: ${mail.subject}\n\n${mail.text.trimEnd()}` : mail.html.trimEnd());
  });
}

export const mailCommands: Command[] = [
  {
    name: 'mail preview',
    args: ['DOMAIN'],
    summary: 'Print a mail about a site as it would be now; none is sent',
    settings: ['db', 'base-url', 'script'],
    flags: {
      kind: { value: 'KIND', help: `${KINDS.join(', ')} (default weekly)` },
      html: { help: 'print the HTML' },
      text: { help: 'print the plain text (default)' },
    },
    run: preview,
  },
];
