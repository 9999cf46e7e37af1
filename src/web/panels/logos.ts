import logos from './logos.json' with { type: 'json' };

const ALL: Record<string, string> = logos;

/** Whose logo stands for something of another name. */
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

/** Parts of names below which others register theirs, such as google.co.uk. */
const SHARED = /^(?:ac|co|com|edu|gov|net|org)$/;

/** The part of a host that its owner registered: whoever has google.spam.example is not Google. */
function ownerOf(host: string): string {
  const parts = host.split('.');
  const isShared = parts.length > 2 && SHARED.test(parts.at(-2) ?? '');
  return parts.at(isShared ? -3 : -2) ?? host;
}

/** The path, 24 by 24, of the logo of a browser, a system, an app or a host. */
export function drawingOf(text: string): string | undefined {
  const name = OTHERS[text] ?? (text.includes('.') ? ownerOf(text) : text.toLowerCase());
  return Object.hasOwn(ALL, name) ? ALL[name] : undefined;
}
