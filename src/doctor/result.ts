/** The result of a check; remedy says what to do where it needs attention. */
export type Result = { fine: boolean; says: string; remedy?: string };

export const fine = (says: string): Result => ({ fine: true, says });
export const bad = (says: string, remedy: string): Result => ({ fine: false, says, remedy });

const MEGABYTE = 1e6;

export const size = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / MEGABYTE).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
