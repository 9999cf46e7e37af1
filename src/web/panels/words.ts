import type { Goal } from '../../api/goals.ts';

export const targetOf = (type: Goal['type']): string => (type === 'page' ? 'Page' : 'Event');

/** What an AI crawler reads pages for: in a list, and within the sentence above it. */
export const PURPOSES: Record<string, { name: string; why: string }> = {
  training: { name: 'Training', why: 'to train models' },
  search: { name: 'Search', why: 'for a search index' },
  user: { name: 'For a person', why: 'because a person asked' },
  other: { name: 'Other', why: 'for something else' },
};
export const purposeOf = (purpose: string): string => PURPOSES[purpose]?.name ?? purpose;

export type Reason = { name: string; why: string };

/** Why a hit was not counted. */
const REASONS: Record<string, Reason> = {
  bot: { name: 'Bots', why: 'Programs that say what they are, and browsers steered by a program.' },
  crawler: { name: 'AI crawlers', why: 'Counted apart, in the panel above.' },
  'foreign-host': { name: 'Other hosts', why: 'Pages that use the script of this site but are not on its domain.' },
  'unknown-site': { name: 'Unknown sites', why: 'Sent for a site that is not set up here.' },
  spam: { name: 'Spam', why: 'Visits from sources that are known for false ones.' },
  prefetch: { name: 'Loaded ahead', why: 'Pages that a browser fetched before anybody opened them.' },
  flood: { name: 'Floods', why: 'More from one address in a moment than people send.' },
  'no-visit': { name: 'Late signs', why: 'Times of reading without a visit: it had ended, or was left out itself.' },
  'too-late': { name: 'Too late', why: 'Sent by a server when their day was already closed.' },
};
export const reasonOf = (reason: string): Reason => REASONS[reason] ?? { name: reason, why: '' };
