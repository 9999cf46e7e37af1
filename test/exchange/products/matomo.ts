const DAY = '2026-01-05';

/** An action as Matomo writes it; the time is of its site's zone, and its seconds pretend that this is UTC. */
export const action = (time: string, more: object = {}) => ({
  type: 'action',
  url: 'https://example.com/',
  pageTitle: 'A "page" {of} [ours]',
  pageIdAction: '2',
  idpageview: 'CWrLQ5',
  serverTimePretty: `5 janv. 2026 ${time}`,
  pageId: '182005',
  pageviewPosition: '1',
  title: 'A page',
  subtitle: 'https://example.com/',
  icon: '',
  iconSVG: 'plugins/Morpheus/images/action.svg',
  timestamp: Date.parse(`${DAY}T${time}Z`) / 1000,
  ...more,
});

/** A visit of Matomo 5 to a site two hours ahead of UTC, asked for in French, but for columns that say nothing here. */
export const VISIT = {
  idSite: '1',
  idVisit: '68536',
  visitIp: '192.0.2.0',
  visitorId: 'abcdefg',
  fingerprint: 'hijklmnop',
  actionDetails: [
    action('18:43:05', { timeSpent: 8, timeSpentPretty: '8s' }),
    action('18:43:13', { url: 'https://www.example.com/learn/', timeSpent: '24' }),
    action('18:43:37', { url: 'https://example.com/search', timeSpent: 0 }),
  ],
  goalConversions: 0,
  lastActionTimestamp: Date.parse(`${DAY}T16:43:37Z`) / 1000,
  lastActionDateTime: `${DAY} 16:43:37`,
  serverTimestamp: Date.parse(`${DAY}T16:43:37Z`) / 1000,
  firstActionTimestamp: Date.parse(`${DAY}T16:43:05Z`) / 1000,
  userId: null,
  visitorType: 'new',
  visitDuration: '33',
  actions: '3',
  referrerType: 'search',
  referrerName: 'Google',
  referrerKeyword: 'Mot clef indéfini',
  referrerUrl: 'https://www.google.com/',
  deviceType: 'Bureau',
  deviceTypeIcon: 'plugins/Morpheus/icons/dist/devices/desktop.png',
  operatingSystem: 'Mac 10.15',
  operatingSystemName: 'Mac',
  browser: 'Chrome 126.0',
  browserName: 'Chrome',
  countryCode: 'fr',
  pluginsIcons: [{ pluginIcon: 'plugins/Morpheus/icons/dist/plugins/pdf.png', pluginName: 'pdf' }],
};

/** An answer with such visits, each with what is different about it. */
export const visits = (...more: object[]): string =>
  JSON.stringify(more.map((one, i) => ({ ...VISIT, idVisit: `${68536 + i}`, ...one }))).replaceAll('/', '\\/');
