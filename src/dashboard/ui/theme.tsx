import { useState } from 'preact/hooks';
import { t } from '../core/texts.ts';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const NAMES = { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' } as const;

const KEY = 'daybook-theme';
const ICONS: Record<Theme, string> = {
  system: 'M3 4h14v9H3zM7 16.5h6M10 13v3.5',
  light:
    'M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M16 4l-1.4 1.4M5.4 14.6 4 16',
  dark: 'M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z',
};

/**
 * Reads the theme that the user chose. If the browser forbids storage, nothing is stored, and the theme follows the
 * operating system.
 */
function storedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {}
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

// Runs when the script is loaded, before any content is shown. So no content appears in the wrong theme first.
applyTheme(storedTheme());

/** A click changes the theme from system to light, then to dark, and then to system again. */
export function ThemeButton() {
  const [theme, set] = useState(storedTheme);
  const next = () => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    storeTheme(chosen);
    applyTheme(chosen);
    set(chosen);
  };
  return (
    <button type="button" class="icon" onClick={next} aria-label={t(NAMES[theme])} title={t(NAMES[theme])}>
      <svg viewBox="0 0 20 20" width="20" height="20" class="symbol" aria-hidden="true">
        <path d={ICONS[theme]} />
      </svg>
    </button>
  );
}
