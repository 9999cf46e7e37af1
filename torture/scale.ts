/** What the short form takes, which CI runs, and what `npm run torture` takes. */
export const scaled = <T>(short: T, full: T): T => (process.env.TORTURE === 'full' ? full : short);
