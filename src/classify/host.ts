/** The domains of a site: its own, and a former one if the hit came under that. */
export type Names = { domain: string; former?: string };

const isWithin = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Tells whether a host is the domain of a site or below it. */
export const isOnSite = ({ domain, former }: Names, host: string): boolean =>
  isWithin(domain, host) || (former !== undefined && isWithin(former, host));
