import type { Kind } from './kind.ts';
import * as silence from './silence.ts';
import * as traffic from './traffic.ts';
import * as weekly from './weekly.ts';

/** Every mail about sites. */
export const KINDS: readonly Kind[] = [
  {
    name: 'weekly',
    setting: 'weekly_report',
    round: weekly.round,
    due: weekly.due,
    letter: weekly.letter,
    preview: weekly.reportMoment,
    nothing: 'nobody came in the last whole week, Monday to Sunday, nor in the week before',
  },
  {
    name: 'traffic',
    setting: 'alert_traffic',
    round: traffic.lastHour,
    due: traffic.due,
    letter: traffic.letter,
    preview: traffic.lastHour,
  },
  {
    name: 'silence',
    setting: 'alert_silence',
    round: silence.round,
    due: silence.due,
    letter: silence.letter,
    preview: (now) => now,
  },
  { name: 'return', setting: 'alert_silence', follows: 'silence', letter: silence.returnLetter },
];

/** The kinds that are looked for by themselves. */
export const WATCHED = KINDS.filter((kind) => 'due' in kind);

/** The kinds that come when one is over. */
export const sequelsOf = (name: string): readonly Kind[] =>
  KINDS.filter((kind) => 'follows' in kind && kind.follows === name);
