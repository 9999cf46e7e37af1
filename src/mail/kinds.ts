import type { Kind } from './kind.ts';
import { monthly, weekly } from './reports.ts';
import * as silence from './silence.ts';
import * as traffic from './traffic.ts';

/** Every mail about sites. */
export const KINDS: readonly Kind[] = [
  weekly,
  monthly,
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
