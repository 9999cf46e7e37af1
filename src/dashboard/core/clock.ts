import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Returns the time in milliseconds since 1970. */
export type Now = () => number;

/** Components read the time from this context, so that a test can choose it. Most tests need no provider. */
export const Clock = createContext<Now>(() => Date.now());

export const useNow = (): Now => useContext(Clock);
