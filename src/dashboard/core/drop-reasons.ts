import type { DashboardMessage } from '../../lang/dashboard.ts';
import { t } from './texts.ts';

/** Names and explanations for the reasons why hits are dropped. The keys are the API's names of the reasons. */
const DROP_REASONS: Record<string, { name: DashboardMessage; why: DashboardMessage }> = {
  bot: { name: 'Bots', why: 'Declared bots and automated browsers.' },
  crawler: {
    name: 'AI crawlers',
    why: 'Requests by AI crawlers that ran the script. The panel above shows all requests by AI crawlers.',
  },
  'foreign-host': { name: 'Other hosts', why: 'Pages on other domains that use this site’s script.' },
  'unknown-site': { name: 'Unknown sites', why: 'Hits for a site that does not exist on this server.' },
  spam: { name: 'Spam', why: 'Visits from known spam referrers.' },
  excluded: {
    name: 'Excluded IP addresses',
    why: 'Hits from IP addresses that this server does not count, such as your own.',
  },
  blocked: { name: 'Blocked', why: 'Hits that match a block in the settings of this site.' },
  prefetch: { name: 'Prefetched pages', why: 'Pages that a browser loaded in advance, before anyone opened them.' },
  flood: { name: 'Too many requests at once', why: 'One IP address sent more requests per second than a person can.' },
  'day-full': { name: 'Daily limit reached', why: 'Hits above the daily limit of the site.' },
  'no-visit': {
    name: 'Late time-on-page messages',
    why: 'Messages that say how long a page was visible, for visits that had already ended or were not counted.',
  },
  'too-late': { name: 'Late hits', why: 'Hits that a server sent after the figures of that day became final.' },
};

/**
 * Returns the texts for a reason. After an update of the server, a page that was opened earlier may not know the
 * reason. Then the page shows the API's name of the reason.
 */
export function dropReason(reason: string): { name: string; why: string } {
  const known = DROP_REASONS[reason];
  return known ? { name: t(known.name), why: t(known.why) } : { name: reason, why: '' };
}
