import { coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';

/**
 * Makes the error for a domain that no longer belongs to the expected site. An export or import runs in a separate
 * process, which finds the site by its domain. Meanwhile, the site may be renamed or deleted, and another account may
 * add the domain.
 */
export const makeSiteGone = (domain: string): Problem =>
  new Problem('not_found', { message: coded('site_gone', { domain }) });
