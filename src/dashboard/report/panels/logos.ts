import logos from './logos.json' with { type: 'json' };

const ALL: Record<string, string> = logos;

/**
 * Browsers, apps, systems and hosts whose logo is stored under another name. For example, Gmail has the logo `google`.
 */
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

/** Matches second-level domains that many owners share, such as co in google.co.uk. */
const SHARED = /^(?:ac|co|com|edu|gov|net|org)$/;

/**
 * Finds the SVG path of a logo, drawn in a square of 24 by 24. `text` is the name of a browser, system or app, or a
 * host.
 */
export function drawingOf(text: string): string | undefined {
  const name = OTHERS[text] ?? (text.includes('.') ? ownerOf(text) : text.toLowerCase());
  return Object.hasOwn(ALL, name) ? ALL[name] : undefined;
}

/**
 * Finds the part of a host's name that its owner has registered: `google` for www.google.de. For google.spam.example,
 * it is `spam`, so this host does not get Google's logo.
 */
function ownerOf(host: string): string {
  const parts = host.split('.');
  const isShared = parts.length > 2 && SHARED.test(parts.at(-2) ?? '');
  return parts.at(isShared ? -3 : -2) ?? host;
}
