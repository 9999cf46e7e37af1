/** Whether a host is the domain of a site, or below it. */
export const isOnSite = ({ domain }: { domain: string }, host: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);
