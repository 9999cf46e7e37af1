/** A number for the short form, which CI runs, and one for `npm run torture`. */
export const scaled = (short: number, full: number): number => (process.env.TORTURE === 'full' ? full : short);
