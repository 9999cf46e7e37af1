import { country } from '../format.ts';
import type { FilterName } from '../view.ts';

export type Table = {
  /** The name of the breakdown in the API. */
  id: string;
  label: string;
  /** The heading of the first column: what a row is. */
  heading: string;
  /** The filter that a click on a row sets. */
  filter?: FilterName;
  /** How the empty value is shown; Unknown unless said otherwise. */
  emptyValue?: string;
  textOf?(value: string): string;
  /** Rows are pages of the site, which can be opened. */
  isPage?: true;
  /** The title where there are no rows, and what to do about it. */
  none: string;
  hint?: string;
};
/** The tables of a panel, of which one is open. */
export type Tables = { id: string; title: string; tables: readonly [Table, ...Table[]] };

const NONE = 'No visitors in these days';
const TAGS = 'Links you share can carry tags, such as ?utm_source=newsletter.';

export const PAGES: Tables = {
  id: 'pages',
  title: 'Pages',
  tables: [
    { id: 'pages', label: 'All', heading: 'Page', filter: 'page', isPage: true, none: NONE },
    { id: 'entry_pages', label: 'Entry', heading: 'Entry page', filter: 'entry', isPage: true, none: NONE },
    { id: 'exit_pages', label: 'Exit', heading: 'Exit page', filter: 'page', isPage: true, none: NONE },
  ],
};

export const SOURCES: Tables = {
  id: 'sources',
  title: 'Sources',
  tables: [
    { id: 'referrers', label: 'Referrer', heading: 'Referrer', filter: 'source', emptyValue: 'Direct', none: NONE },
    {
      id: 'utm_source',
      label: 'UTM source',
      heading: 'Campaign source',
      filter: 'utm_source',
      none: 'No visits with a source tag',
      hint: TAGS,
    },
    {
      id: 'utm_medium',
      label: 'Medium',
      heading: 'Campaign medium',
      filter: 'utm_medium',
      none: 'No visits with a medium tag',
      hint: TAGS,
    },
    {
      id: 'utm_campaign',
      label: 'Campaign',
      heading: 'Campaign',
      filter: 'utm_campaign',
      none: 'No visits with a campaign tag',
      hint: TAGS,
    },
  ],
};

export const PLACES: Tables = {
  id: 'places',
  title: 'Places',
  tables: [{ id: 'countries', label: 'Country', heading: 'Country', filter: 'country', textOf: country, none: NONE }],
};

export const DEVICES: Tables = {
  id: 'devices',
  title: 'Devices',
  tables: [
    { id: 'devices', label: 'Device', heading: 'Device', filter: 'device', none: NONE },
    { id: 'browsers', label: 'Browser', heading: 'Browser', filter: 'browser', none: NONE },
    { id: 'operating_systems', label: 'System', heading: 'Operating system', filter: 'os', none: NONE },
  ],
};

export const EVENTS: Tables = {
  id: 'events',
  title: 'Events',
  tables: [
    {
      id: 'events',
      label: 'Events',
      heading: 'Event',
      filter: 'event',
      none: 'No events in these days',
      hint: "Pages send them with daybook('signup'), or with data-daybook-event on a link or button.",
    },
    {
      id: 'event_labels',
      label: 'Labels',
      heading: 'Label',
      none: 'No labels in these days',
      hint: "A label is the second word of an event: daybook('signup', 'pro').",
    },
  ],
};

export const textIn = ({ textOf, emptyValue = 'Unknown' }: Table, value: string): string =>
  textOf ? textOf(value) : value === '' ? emptyValue : value;
