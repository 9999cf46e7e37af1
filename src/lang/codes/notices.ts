/**
 * The English sentences of notices. A notice says what an answer lacks, or which visits are excluded. Other sentences
 * in this table say how figures changed after a note. A note says what happened on a day, such as a release.
 */
export const NOTICES = {
  /** Puts a time, a site or another name before a sentence, as in "example.com: …". */
  prefixed: '{of}: {sentence}',
  left_out: 'This report does not include {days:days}, because only daily totals are stored for these days.',
  crawler_pages_left_out:
    'The pages of this crawler do not include {days:days}, because only daily totals are stored for these days.',
  bounces_unknown: 'The bounce rate is unknown for {days:days}, because the import did not contain it.',
  seconds_unknown: 'The visit duration is unknown for {days:days}, because the import did not contain it.',
  revenue_unknown: 'The revenue is unknown for {days:days}, because the import did not contain it.',
  other_currencies: 'Revenue in {currencies} is not included, because this report is in {currency}.',
  revenue_left_out:
    'The revenue of {hits|hit|hits} is not included, because a day had more than {most} different amounts.',
  rows_unknown: 'This report does not include {days:days}, because the import did not contain this data.',
  page_unknown: 'Conversions of page goals are unknown for {days:days}, because the import did not contain pages.',
  event_unknown: 'Conversions of event goals are unknown for {days:days}, because the import did not contain events.',
  persons_unknown:
    'A person counts once for each page, because the import did not contain the number of persons: {days:days}.',
  visits_excluded: '{visits|visit is|visits are} excluded by {exclusions|exclusion|exclusions}.',
  nothing_excluded: 'No visits are excluded on these days, because only daily totals are stored for them: {days:days}.',
  days_deleted: 'These days were deleted, so their visits are missing: {days:days}.',
  other_time_zone: 'These days were counted in {zone}, before the time zone changed to {own}: {days:days}.',
  not_compared:
    'These days are not compared, because they are incomplete, or paired with an incomplete day: {days:days}.',
  site_blocked: 'This site is not included, because the account that owns it is blocked.',
  visitors_changed:
    'Visitors: {change:signed} in the {days} days after the note, compared with the {days} days before it (95% confidence interval: {low:signed} to {high:signed}).',
  visitors_unclear:
    'Visitors: {change:signed} in the {days} days after the note, compared with the {days} days before it (95% confidence interval: {low:signed} to {high:signed}). This may be pure chance.',
  too_few_visitors:
    'Not enough visitors to compare: {before} before the note, {after} after it. Both periods need visitors on several days.',
  pageviews_changed:
    'Pageviews: {change:signed} in the {days} days after the note, compared with the {days} days before it (95% confidence interval: {low:signed} to {high:signed}).',
  pageviews_unclear:
    'Pageviews: {change:signed} in the {days} days after the note, compared with the {days} days before it (95% confidence interval: {low:signed} to {high:signed}). This may be pure chance.',
  too_few_pageviews:
    'Not enough pageviews to compare: {before} before the note, {after} after it. Both periods need pageviews on several days.',
  conversions_changed:
    'Conversions: {change:signed} in the {days} days after the note, compared with the {days} days before it (95% confidence interval: {low:signed} to {high:signed}).',
  conversions_unclear:
    'Conversions: {change:signed} in the {days} days after the note, compared with the {days} days before it (95% confidence interval: {low:signed} to {high:signed}). This may be pure chance.',
  too_few_conversions:
    'Not enough conversions to compare: {before} before the note, {after} after it. Both periods need conversions on several days.',
  too_few_days: 'Not enough comparable days: {days} of {all}. At least {needed} are needed.',
  suggested: 'Suggested exclusion: {visits|similar visit|similar visits} (usually {usual}).',
} as const;
