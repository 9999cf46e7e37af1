// The names of schemas in the OpenAPI document.
//
// The document has each named schema once, and code generators make one type of it. For example, three routes have
// `Goal` in their answers, but a generated client has only one type `Goal`. `openapi.ts` throws if an answer has no
// name.
//
// A later version may add fields to answers, so clients must ignore fields that they do not know. A body with an
// unknown field is refused.

import { Receipt } from '../receipts/receipt.ts';
import * as account from './account.ts';
import * as alerts from './alerts.ts';
import * as allSites from './all-sites.ts';
import * as answers from './answers.ts';
import * as arrivals from './arrivals.ts';
import * as audit from './audit.ts';
import * as blocks from './blocks.ts';
import * as changes from './changes.ts';
import * as cluster from './cluster.ts';
import * as dayStatus from './day-status.ts';
import * as deletions from './deletions.ts';
import * as destinations from './destinations.ts';
import * as effects from './effects.ts';
import * as embeds from './embeds.ts';
import * as exclusions from './exclusions.ts';
import * as explain from './explain.ts';
import * as filterValues from './filter-values.ts';
import * as filters from './filters.ts';
import * as funnels from './funnels.ts';
import * as goals from './goals.ts';
import * as hits from './hits.ts';
import * as imports from './imports.ts';
import * as input from './input.ts';
import { Interval } from './interval.ts';
import * as journeys from './journeys.ts';
import type { NamedSchemas } from './json-schema.ts';
import { TargetChange } from './lost-targets.ts';
import * as notes from './notes.ts';
import { DaySpans, TextCode, TextCodes } from './notices.ts';
import * as outages from './outages.ts';
import * as pageParameters from './page-parameters.ts';
import * as privatePaths from './private-paths.ts';
import * as receipts from './receipts.ts';
import * as renaming from './renaming.ts';
import * as rows from './rows.ts';
import * as searches from './searches.ts';
import * as server from './server.ts';
import * as sessions from './sessions.ts';
import * as shares from './shares.ts';
import * as sites from './sites.ts';
import * as sql from './sql.ts';
import * as suggestions from './suggestions.ts';
import * as table from './table.ts';
import * as team from './team.ts';
import * as tokens from './tokens.ts';
import * as uploads from './uploads.ts';
import * as views from './views.ts';

export const VALUES: NamedSchemas = {
  Ability: input.Ability,
  Device: filterValues.Device,
  Screen: filterValues.Screen,
  Channel: filterValues.Channel,
  ChannelMessages: destinations.ChannelMessages,
  BreakdownName: answers.BreakdownName,
  EffectMetric: effects.EffectMetric,
  Interval,
  Metric: rows.Metric,
  MemberRole: team.MemberRole,
  PagePattern: input.PagePattern,
  QueryKey: table.QueryKey,
  QueryMetric: table.QueryMetric,
  Pattern: input.Pattern,
  Role: sites.Role,
  SourcePattern: filterValues.SourcePattern,
  SharedBreakdownName: allSites.SharedBreakdownName,
  Target: input.Target,
  TargetProperty: input.TargetProperty,
  TargetType: input.TargetType,
  TextCode,
  TextCodes,
  DaySpans,
};

export const ANSWERS: NamedSchemas = {
  Account: account.Account,
  Language: account.AccountLanguage,
  Site: sites.Site,
  Import: imports.Import,
  RenamingPreview: renaming.RenamingPreview,
  Deletion: deletions.Deletion,
  DeletionPreview: deletions.DeletionPreview,
  Upload: uploads.Upload,
  UploadedFile: uploads.UploadedFile,
  Goal: goals.Goal,
  Step: input.TargetAnswer,
  Funnel: funnels.Funnel,
  Note: notes.Note,
  Effect: effects.Effect,
  EffectSide: effects.Side,
  Explanation: explain.Explanation,
  ExplanationReason: explain.Reason,
  Filters: filters.Applied,
  Exclusion: exclusions.Exclusion,
  ExclusionPreview: exclusions.Preview,
  ExclusionSuggestion: suggestions.Draft,
  SavedView: views.SavedView,
  Embed: embeds.Embed,
  Share: shares.Share,
  PrivatePaths: privatePaths.PrivatePaths,
  PageParameters: pageParameters.PageParameters,
  TargetChange,
  Arrivals: arrivals.Arrivals,
  Collected: hits.Outcome,
  Overview: answers.Overview,
  Previous: answers.Previous,
  Change: answers.Change,
  Timeseries: answers.Timeseries,
  Point: answers.Point,
  Breakdown: answers.Breakdown,
  Row: answers.Row,
  SharedBreakdown: allSites.SharedBreakdown,
  ValueCount: answers.ValueCount,
  GoalReport: answers.Goals,
  GoalRow: answers.GoalRow,
  VitalReport: answers.Vitals,
  QueryTable: answers.Table,
  QueryMetrics: answers.RowMetrics,
  VitalFigures: answers.VitalFigures,
  VitalBounds: answers.VitalBounds,
  Realtime: answers.Realtime,
  Live: answers.Live,
  CrawlerReport: answers.Bots,
  Crawler: answers.Crawler,
  FunnelReport: answers.Funnel,
  FunnelStep: answers.FunnelStep,
  JourneyReport: journeys.Journeys,
  SearchReport: searches.Searches,
  JourneyNode: journeys.JourneyNode,
  AssistantReport: answers.Assistants,
  DropReport: answers.Drops,
  OutageReport: outages.Outages,
  DayReport: dayStatus.DayReport,
  Day: dayStatus.DayStatus,
  ChangeList: changes.Changes,
  PastChange: changes.PastChange,
  PastFigures: changes.PastFigures,
  ReceiptList: receipts.Receipts,
  Receipt,
  Team: team.Team,
  Member: team.Member,
  InvitedMember: team.InvitedMember,
  Block: blocks.Block,
  Alert: alerts.Alert,
  NotificationChannel: destinations.NotificationChannel,
  ChannelTest: destinations.ChannelTest,
  AuditEntry: audit.AuditEntry,
  Token: tokens.Token,
  PlainToken: tokens.PlainToken,
  Session: sessions.Session,
  Server: server.Server,
  Cluster: cluster.Cluster,
  Finding: server.Finding,
  Arrival: server.Arrival,
  SqlRows: sql.SqlRows,
};

export const BODIES: NamedSchemas = {
  LanguageChange: account.AccountLanguage,
  NewSite: sites.NewSite,
  SiteChange: sites.SiteChange,
  NewGoal: goals.NewGoal,
  GoalChange: goals.GoalChange,
  NewFunnel: funnels.NewFunnel,
  FunnelChange: funnels.FunnelChange,
  NewNote: notes.NewNote,
  NoteChange: notes.NoteChange,
  ...filters.CONDITIONS,
  QueryFilters: filters.FilterObject,
  FilterGroup: filters.FilterGroup,
  ExclusionSelection: exclusions.ExclusionSelection,
  Query: table.TableQuestion,
  NewExclusion: exclusions.NewExclusion,
  SuggestionDismissal: suggestions.Dismissal,
  NewView: views.NewView,
  NewEmbed: embeds.NewEmbed,
  DeletedDays: deletions.DeletedDays,
  NewUpload: uploads.NewUpload,
  Confirmation: uploads.Confirmation,
  NewShare: shares.NewShare,
  ShareChange: shares.ShareChange,
  Hit: hits.PassedHit,
  Hits: hits.PassedHits,
  Crawl: hits.PassedCrawl,
  Crawls: hits.PassedCrawls,
  NewMember: team.NewMember,
  MemberChange: team.MemberChange,
  NewBlock: blocks.NewBlock,
  NewAlert: alerts.NewAlert,
  ...destinations.NAMED_SETTINGS,
  NewNotificationChannel: destinations.NewNotificationChannel,
  NotificationChannelChange: destinations.NotificationChannelChange,
  NewToken: tokens.NewToken,
  SqlQuery: sql.SqlQuery,
};
