import logos from './logos.json' with { type: 'json' };

const ALL: Record<string, string> = logos;

/** Logos for names that differ from the logo's own name. */
const OTHERS: Record<string, string> = {
  'Firefox Focus': 'firefox',
  Gmail: 'google',
  'Google app': 'google',
  'Google News app': 'google',
  'Opera Mini': 'opera',
  'Pinterest app': 'pinterest',
  'Safari (in-app)': 'safari',
  'Samsung Internet': 'samsung',
  'YouTube app': 'youtube',
  iOS: 'apple',
  macOS: 'apple',
  't.co': 'x',
  'youtu.be': 'youtube',
};

/** Second-level domains that belong to a registry, such as co in google.co.uk. */
const SHARED = /^(?:ac|co|com|edu|gov|net|org)$/;

/** The SVG path of a logo, 24 by 24. The text names a browser, a system, an app or a host. */
export function drawingOf(text: string): string | undefined {
  const name = OTHERS[text] ?? (text.includes('.') ? ownerOf(text) : text.toLowerCase());
  return Object.hasOwn(ALL, name) ? ALL[name] : undefined;
}

/**
 * The part of a host name that its owner registered. So google.spam.example gets the logo of spam, and never
 * Google's.
 */
function ownerOf(host: string): string {
  const parts = host.split('.');
  const isShared = parts.length > 2 && SHARED.test(parts.at(-2) ?? '');
  return parts.at(isShared ? -3 : -2) ?? host;
}
