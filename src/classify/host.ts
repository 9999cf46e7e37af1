/** What a site calls its own: its domain, and a former one for what comes under that name. */
export type Names = { domain: string; former?: string };

const isWithin = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Whether a host is the domain of a site, or below it. */
export const isOnSite = ({ domain, former }: Names, host: string): boolean =>
  isWithin(domain, host) || (former !== undefined && isWithin(former, host));
