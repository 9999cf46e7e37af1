/** The current colours of style/tokens.css. A canvas cannot use CSS variables, so each drawing reads their values. */
export type ThemeColours = { of(name: string): string; faded(name: string, percent: number): string };

export function themeColours(element: HTMLElement): ThemeColours {
  const of = (name: string) => getComputedStyle(element).getPropertyValue(`--${name}`);
  return { of, faded: (name, percent) => `color-mix(in srgb, ${of(name)} ${percent}%, transparent)` };
}

/** Calls `call` when the colours change: with the theme of the system, with the chosen theme, or for printing. */
export function onThemeChange(call: () => void): () => void {
  const media = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
  const chosen = new MutationObserver(call);
  for (const one of media) one.addEventListener('change', call);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    for (const one of media) one.removeEventListener('change', call);
    chosen.disconnect();
  };
}
