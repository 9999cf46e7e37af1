import type { FilterName } from '../address.ts';
import { country } from '../format.ts';

export type Table = {
  /** The breakdown of the API. */
  id: string;
  label: string;
  /** What a row is. */
  word: string;
  /** What a row is filtered by, where it can be. */
  filter?: FilterName;
  /** How the empty value is called. */
  empty?: string;
  shown?(value: string): string;
  /** Rows are pages of the site, which can be opened. */
  isPage?: true;
  /** Said where there are no rows, with what to do about it. */
  none: string;
  hint?: string;
};
export type Tables = { id: string; title: string; tables: readonly [Table, ...Table[]] };

const NONE = 'No visitors in these days';
const TAGS = 'Links you share can carry tags, such as ?utm_source=newsletter.';

export const PAGES: Tables = {
  id: 'pages',
  title: 'Pages',
  tables: [
    { id: 'pages', label: 'All', word: 'Page', filter: 'page', isPage: true, none: NONE },
    { id: 'entry_pages', label: 'Entry', word: 'Entry page', filter: 'entry', isPage: true, none: NONE },
    { id: 'exit_pages', label: 'Exit', word: 'Exit page', filter: 'page', isPage: true, none: NONE },
  ],
};

export const SOURCES: Tables = {
  id: 'sources',
  title: 'Sources',
  tables: [
    { id: 'referrers', label: 'Referrer', word: 'Referrer', filter: 'source', empty: 'Direct', none: NONE },
    {
      id: 'utm_source',
      label: 'UTM source',
      word: 'Campaign source',
      filter: 'utm_source',
      none: 'No visits with a source tag',
      hint: TAGS,
    },
    {
      id: 'utm_medium',
      label: 'Medium',
      word: 'Campaign medium',
      filter: 'utm_medium',
      none: 'No visits with a medium tag',
      hint: TAGS,
    },
    {
      id: 'utm_campaign',
      label: 'Campaign',
      word: 'Campaign',
      filter: 'utm_campaign',
      none: 'No visits with a campaign tag',
      hint: TAGS,
    },
  ],
};

export const PLACES: Tables = {
  id: 'places',
  title: 'Places',
  tables: [{ id: 'countries', label: 'Country', word: 'Country', filter: 'country', shown: country, none: NONE }],
};

export const DEVICES: Tables = {
  id: 'devices',
  title: 'Devices',
  tables: [
    { id: 'devices', label: 'Device', word: 'Device', filter: 'device', none: NONE },
    { id: 'browsers', label: 'Browser', word: 'Browser', filter: 'browser', none: NONE },
    { id: 'operating_systems', label: 'System', word: 'Operating system', filter: 'os', none: NONE },
  ],
};

export const EVENTS: Tables = {
  id: 'events',
  title: 'Events',
  tables: [
    {
      id: 'events',
      label: 'Events',
      word: 'Event',
      filter: 'event',
      none: 'No events in these days',
      hint: "Pages send them with daybook('signup'), or with data-daybook-event on a link or button.",
    },
    {
      id: 'event_labels',
      label: 'Labels',
      word: 'Label',
      none: 'No labels in these days',
      hint: "A label is the second word of an event: daybook('signup', 'pro').",
    },
  ],
};

export const shownIn = ({ shown, empty = 'Unknown' }: Table, value: string): string =>
  shown ? shown(value) : value === '' ? empty : value;
