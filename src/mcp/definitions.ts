/** The meaning of fields in answers, with the same texts as docs/read-the-statistics.md. */
const DEFINITIONS: Record<string, string> = {
  visitors:
    'A visitor is one person, browser and IP address on one day of the site. Over a range, days are added up, because visitors are never recognised on another day.',
  visits: "A visit is a visitor's activity without a pause of more than 30 minutes, within one day.",
  pageviews: 'A pageview is a page that was seen. A hidden or prerendered page counts once it is seen.',
  bounce_rate: 'Percent of visits with one pageview and no event.',
  visit_duration: "Seconds: the average time from a visit's first to its last activity.",
  time_on_page: 'Seconds: the average over the pageviews that reported how long the page was seen.',
  change:
    'Percent by which a figure differs from the period it is compared with; null where that had none, and where a notice says that days or the figure are not in it.',
  conversions: 'How often a goal was reached; its visitors are those who reached it at least once in a day.',
  conversion_rate: 'Percent of all visitors who reached the goal.',
  share_of_previous: 'Percent of the visitors of the step before; steps are reached in this order within one day.',
  minutes: 'Minutes of the clock, the running one included.',
  crawlers: 'Requests of AI crawlers, which run no script; they are no visitors.',
  drops: 'Hits that were not counted, by the reason.',
  complete: 'False where hits were not collected for some of the time, so that the real figures are higher.',
  notices: 'What an answer leaves out or counts otherwise; say it together with the figures.',
};

export function listDefinitions(answer: string): Record<string, string> {
  return Object.fromEntries(Object.entries(DEFINITIONS).filter(([field]) => answer.includes(`"${field}":`)));
}
