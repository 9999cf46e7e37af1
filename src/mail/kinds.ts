// The table of all kinds of messages about sites: reports, alerts, effects of notes and reached goals.
//
// Example: each hour, the job "mails" checks whether a message of the row `traffic` is due (src/jobs/mail.ts). If so,
// the recipients of a site with the setting `alert_traffic` get a mail. The site's destinations that list `traffic` get
// a message.

import * as custom from './custom-alerts.ts';
import * as effects from './effects.ts';
import * as goals from './goals.ts';
import type { MailKind } from './kind.ts';
import { monthly, weekly } from './reports.ts';
import * as silence from './silence.ts';
import * as traffic from './traffic.ts';

export const KINDS: readonly MailKind[] = [
  weekly,
  monthly,
  {
    name: 'traffic',
    setting: 'alert_traffic',
    message: 'traffic',
    round: traffic.lastHour,
    due: traffic.due,
    letter: traffic.letter,
    preview: traffic.lastHour,
  },
  {
    name: 'silence',
    setting: 'alert_silence',
    message: 'silence',
    round: silence.round,
    due: silence.due,
    letter: silence.letter,
    preview: (now) => now,
  },
  {
    name: 'return',
    setting: 'alert_silence',
    message: 'silence',
    follows: 'silence',
    letter: silence.returnLetter,
  },
  {
    name: 'custom',
    setting: 'alert_custom',
    message: 'custom',
    round: custom.round,
    due: custom.due,
    letter: custom.letter,
    preview: (now) => now,
    nothing: 'yesterday did not meet the condition of any custom alert',
  },
  {
    name: effects.KIND,
    setting: 'report_effects',
    message: 'effects',
    round: effects.round,
    due: effects.due,
    letter: effects.letter,
    preview: (now) => now,
    nothing: 'no note with this message is older than two weeks',
  },
  {
    name: 'goals',
    setting: undefined,
    message: 'goals',
    round: goals.round,
    due: goals.due,
    letter: goals.letter,
    preview: (now) => now,
  },
];

/**
 * The kinds that look for something to report, such as the silence of a site. Every other kind says that an alert is
 * over.
 */
export const WATCHED = KINDS.filter((kind) => 'due' in kind);

/** The watched kinds that are sent as mails. The other watched kinds go only to destinations. */
export const MAILED = WATCHED.filter(({ setting }) => setting !== undefined);

/** Lists the kinds of mail that are sent when an alert of the given kind is over. */
export const listSequels = (name: string): readonly MailKind[] =>
  KINDS.filter((kind) => 'follows' in kind && kind.follows === name);
