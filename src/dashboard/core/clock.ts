import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** A function that returns the time in milliseconds since 1970. */
export type Now = () => number;

/** Components read the time from this context. main.tsx provides the browser's clock, and tests choose their own. */
export const Clock = createContext<Now>(() => {
  throw new Error('no clock was provided');
});

export const useNow = (): Now => useContext(Clock);
