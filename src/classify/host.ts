/** The present domain of a site, and an earlier one if the hit came under the earlier domain. */
export type Names = { domain: string; former?: string };

const isWithin = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Whether a host is a domain of the site or a subdomain: blog.example.com for example.com. */
export const isOnSite = ({ domain, former }: Names, host: string): boolean =>
  isWithin(domain, host) || (former !== undefined && isWithin(former, host));
