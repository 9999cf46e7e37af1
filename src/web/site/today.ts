import { useEffect, useState } from 'preact/hooks';

const today = (): string => new Date().toISOString().slice(0, 10);

/** Today in UTC; it changes at midnight while the page is open. */
export function useToday(): string {
  const [current, set] = useState(today);
  useEffect(() => {
    const timer = setInterval(() => set(today()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return current;
}
