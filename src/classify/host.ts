/** The domains of a site: the present one, and a former one if the hit named the former domain. */
export type Names = { domain: string; former?: string };

const isWithin = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** True for blog.example.com if the domain is example.com. */
export const isOnSite = ({ domain, former }: Names, host: string): boolean =>
  isWithin(domain, host) || (former !== undefined && isWithin(former, host));
