/** What the fields of a response mean. docs/read-the-statistics.md has the same texts. */
const DEFINITIONS: Record<string, string> = {
  visitors:
    'A visitor is one person, browser and IP address on one day of the site. Over a range, days are added up, because visitors are never recognised on another day.',
  visits: "A visit is a visitor's activity without a pause of more than 30 minutes, within one day.",
  pageviews: 'A pageview is a page that was seen. A hidden or prerendered page counts once it is seen.',
  bounce_rate: 'Percent of visits with one pageview and no event.',
  visit_duration: "Seconds: the average time from a visit's first to its last activity.",
  time_on_page: 'Seconds: the average over the pageviews that reported how long the page was seen.',
  scroll_depth: 'Percent of the page that was seen, from its top: the average over the pageviews that reported it.',
  change:
    'Percent by which a figure differs from the compared period. It is null if that period had none, or if a notice says that the period lacks days or this figure.',
  conversions: 'How often visitors reached a goal. The visitors of a goal reached it at least once in a day.',
  conversion_rate: 'Percent of all visitors who reached the goal.',
  revenue: 'The amounts of orders, added up in one currency. Amounts in other currencies are named in the notices.',
  revenue_per_visitor: 'Revenue divided by visitors.',
  share_of_previous:
    'Percent of the visitors of the step before. Visitors reach the steps in this order within one day.',
  minutes: 'Minutes of the clock, with the current one.',
  crawlers: 'Requests of AI crawlers. They run no script, and do not count as visitors.',
  impressions:
    'How often Google showed the site in its results. Google counted these searches, so they differ from visits.',
  ctr: 'Percent of impressions that led to a click.',
  position: "The average position in Google's results: 1 is the top. It is null without impressions.",
  totals:
    'All searches of the days, with rare searches that no row has. If left_out is above 0, rows are missing: it counts groups of days, such as a whole month, that lie only partly in the range.',
  drops: 'Hits that were not counted, by reason.',
  reasons:
    'Groups of visitors that make up most of a difference. If certain is false, chance alone may do as much. share is percent of the difference.',
  complete: 'False if the server collected no hits for some of the time. The real figures are then higher.',
  notices: 'What an answer leaves out or counts differently. Mention it together with the figures.',
};

export function listDefinitions(answer: string): Record<string, string> {
  return Object.fromEntries(Object.entries(DEFINITIONS).filter(([field]) => answer.includes(`"${field}":`)));
}
