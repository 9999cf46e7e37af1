// Names what visits have in common in mails, such as "the country Germany". Here, a property is a value of a dimension.
//
// Each name fits after "have": "visits have the source Direct and the country XX in common". suggested.ts and reason.ts
// write such sentences.
import type { ExplainDimension } from '../stats/explain-dimensions.ts';
import type { MailMessage } from './voice.ts';

export const PROPERTIES: Record<ExplainDimension, MailMessage> = {
  channel: 'the channel {values}',
  source: 'the source {values}',
  utm_campaign: 'the campaign {values}',
  utm_source: 'the campaign source {values}',
  utm_medium: 'the campaign medium {values}',
  country: 'the country {values}',
  language: 'the language {values}',
  region: 'the region {values}',
  city: 'the city {values}',
  device: 'the device {values}',
  os: 'the operating system {values}',
  browser: 'the browser {values}',
  screen: 'the screen size {values}',
  entry: 'the entry page {values}',
  hostname: 'the host name {values}',
};
