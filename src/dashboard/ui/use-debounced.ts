import { useEffect, useState } from 'preact/hooks';

const PAUSE_MS = 200;

/**
 * Returns the typed text, but only after the user has typed nothing for a moment. Otherwise each key would send a
 * request.
 */
export function useSettled(typed: string): string {
  const [settled, set] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => set(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
