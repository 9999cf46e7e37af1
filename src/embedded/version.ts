/**
 * The build puts the version of daybook here, such as "1.2.0". If the program runs from source, the constant is
 * undefined.
 */
declare const VERSION: string | undefined;

export const version = typeof VERSION === 'string' ? VERSION : 'from source';
