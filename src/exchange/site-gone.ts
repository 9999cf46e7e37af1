import { coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';

/**
 * The error if a domain no longer belongs to the site that was meant. An export or import runs in a process of its own,
 * which finds the site by its domain. Meanwhile the site may be renamed or deleted, and another account may add the
 * domain.
 */
export const makeSiteGone = (domain: string): Problem =>
  new Problem('not_found', { message: coded('site_gone', { domain }) });
