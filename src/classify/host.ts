/** The domains of a site: the present one, and an earlier one if the hit named that. */
export type Names = { domain: string; former?: string };

const isWithin = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Tells whether a host is a domain of the site or a subdomain, such as blog.example.com for example.com. */
export const isOnSite = ({ domain, former }: Names, host: string): boolean =>
  isWithin(domain, host) || (former !== undefined && isWithin(former, host));
