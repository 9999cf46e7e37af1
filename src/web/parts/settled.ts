import { useEffect, useState } from 'preact/hooks';

const PAUSE_MS = 200;

/** The typed text. The returned text changes when the user has typed nothing for a moment. */
export function useSettled(typed: string): string {
  const [settled, set] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => set(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
