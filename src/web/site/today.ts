import { useEffect, useState } from 'preact/hooks';

const now = (): string => new Date().toISOString().slice(0, 10);

/** The day that it is in UTC, also for a page that is left open over midnight. */
export function useToday(): string {
  const [today, set] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => set(now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return today;
}
