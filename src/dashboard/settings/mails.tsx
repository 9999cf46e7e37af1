import { boot } from '../core/boot.ts';
import type { PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { withParts } from '../ui/with-parts.ts';
import { type Setting, SiteSwitch } from './site-switch.tsx';

const MAILS: readonly Setting[] = [
  {
    name: 'weekly_report',
    label: 'Weekly report',
    help: 'An e-mail every Monday with the figures of the previous week.',
  },
  {
    name: 'monthly_report',
    label: 'Monthly report',
    help: 'An e-mail on the first of each month with the figures of the previous month.',
  },
  { name: 'alert_traffic', label: 'Traffic alert', help: 'An e-mail when you get far more visitors than usual.' },
  {
    name: 'alert_silence',
    label: 'No-traffic alert',
    help: 'An e-mail when hits stop, for example because the snippet is missing. You get another e-mail when hits arrive again.',
  },
  {
    name: 'alert_custom',
    label: 'Custom alerts',
    help: 'An e-mail after each day on which the condition of a custom alert was met.',
  },
  {
    name: 'report_effects',
    label: 'Effects of notes',
    help: 'An e-mail two weeks after a note, if you chose this for the note. It shows how your figures changed.',
  },
];

/** Shows which reports and alerts are sent by e-mail. Each switch is saved as soon as it is clicked. */
export function Mails(props: PartProps) {
  const about = boot.mails
    ? t('These e-mails go to everyone with access to this site. Each e-mail has a link to unsubscribe.')
    : withParts(
        t('No mail server is set up, so this server sends no e-mails. The person who runs it can set {option}.'),
        { option: <code class="unbroken">--smtp-url</code> },
      );
  return (
    <Block title={t('Reports and alerts')} about={about}>
      <div class="switch-list">
        {MAILS.map((mail) => (
          <SiteSwitch key={mail.name} of={mail} {...props} />
        ))}
      </div>
    </Block>
  );
}
