import type { Filters } from './view.ts';

/** What the API answers, as far as the dashboard reads it. */

type Span = { from: string; to: string };
/** As the API echoes them: a goal is a number there. */
type Applied = { filters: Omit<Filters, 'goal'> & { goal?: number } };
type Step = { type: GoalType; value: string };

type Role = 'viewer' | 'manager' | 'owner';
export type GoalType = 'page' | 'event';
export type Ability = 'read' | 'write' | 'collect';

export type SiteData = {
  id: number;
  domain: string;
  account_id: number;
  role: Role;
  created_at: string;
  weekly_report: boolean;
  public_live: boolean;
  shared: boolean;
  share_url: string | null;
  alert_traffic: boolean;
  alert_silence: boolean;
  track_crawlers: boolean;
  main_goal_id: number | null;
  snippet: string;
};

export type Figures = {
  visitors: number;
  pageviews: number;
  visits: number;
  bounce_rate: number;
  visit_duration: number;
};
export type Overview = Span &
  Applied &
  Figures & {
    /** What could not be taken into account, in sentences. */
    notices?: string[];
    previous: Span & Figures;
    change: Record<keyof Figures, number | null>;
  };

export type Point = { date: string; visitors: number; pageviews: number };
export type Timeseries = Span & Applied & { interval: 'day' | 'month'; points: Point[] };

export type Row = { value: string; visitors: number };
export type Breakdown = Span & Applied & { breakdown: string; rows: Row[] };

export type GoalRow = Step & { id: number; visitors: number; conversions: number; conversion_rate: number };
export type Goals = Span & Applied & { goals: GoalRow[] };

export type Realtime = Span & Applied & { visitors: number };

export type Crawler = { crawler: string; name: string; operator: string; purpose: string; requests: number };
export type Bots = Span & { total: number; crawlers: Crawler[]; pages: { page: string; requests: number }[] };

export type FunnelStep = Step & { visitors: number; share_of_previous: number; share_of_first: number };
export type Funnel = Span & Applied & { funnel: { id: number; name: string }; steps: FunnelStep[] };

export type Drops = Span & { drops: { reason: string; hits: number }[] };
export type Assistants = Span & Applied & { rows: { value: string; name: string; visitors: number }[] };

export type Goal = Step & { id: number; created_at: string };
export type FunnelData = { id: number; name: string; steps: Step[]; created_at: string };
export type Note = { id: number; date: string; text: string; created_at: string };

export type Account = {
  id: number;
  email: string;
  plan: string | null;
  events_used: number;
  events_included: number | null;
  limits: { sites: number | null; members: number | null; tokens: number; funnels_per_site: number };
  abilities: Ability[];
};

export type Member = {
  id: number;
  email: string;
  role: 'viewer' | 'manager';
  status: 'active' | 'invited';
  created_at: string;
  /** Only in the answer to an invitation. */
  invitation_url?: string;
};
export type Team = {
  members: Member[];
  limit: number | null;
  teams: { account_id: number; owner: string; role: Role }[];
};

export type Token = {
  id: number;
  name: string;
  abilities: Ability[];
  created_at: string;
  last_used_at: string | null;
  /** The plain value, only in the answer to its creation. */
  token?: string;
};

export type Session = { id: number; browser: string; created_at: string; used_at: string; current: boolean };
export type Embed = { id: number; origin: string; created_at: string };

export type Found = { fine: boolean; says: string; remedy?: string };
export type Arrival = Found & {
  sender: string;
  visitor: string;
  believed: boolean;
  headers: { name: string; value: string }[];
};
export type ServerData = { findings: (Found & { name: string })[]; request: Arrival };
