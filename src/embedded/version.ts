/** Put in by build.mjs. */
declare const VERSION: string | undefined;

export const version = typeof VERSION === 'string' ? VERSION : 'from source';
