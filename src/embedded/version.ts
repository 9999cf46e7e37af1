/** The build puts the version here. */
declare const VERSION: string | undefined;

export const version = typeof VERSION === 'string' ? VERSION : 'from source';
