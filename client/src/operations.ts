// Made from src/api/routes.ts by npm run build:client.

export type Operations = {
  /** Plan, usage, limits and the abilities of the token. */
  'GET /account': {
    data: {
      id: number;
      email: string;
      plan: string | null;
      events_used: number;
      events_included: number | null;
      limits: {
        sites: number | null;
        members: number | null;
        tokens: number;
        funnels_per_site: number;
      };
      abilities: Array<'read' | 'write' | 'collect'>;
    };
  };

  /** The language of your dashboard; null where it is that of the browser. */
  'GET /account/language': {
    data: {
      language: 'en' | 'de' | 'fr' | 'es' | null;
    };
  };

  /** Choose the language of your dashboard. */
  'PATCH /account/language': {
    body: {
      language: 'en' | 'de' | 'fr' | 'es' | null;
    };
    data: {
      language: 'en' | 'de' | 'fr' | 'es' | null;
    };
  };

  /** All sites you may see. */
  'GET /sites': {
    data: Array<{
      id: number;
      domain: string;
      account_id: number;
      role: 'viewer' | 'manager' | 'owner';
      created_at: string;
      weekly_report: boolean;
      monthly_report: boolean;
      public_live: boolean;
      alert_traffic: boolean;
      alert_silence: boolean;
      track_crawlers: boolean;
      shared: boolean;
      share_url: string | null;
      main_goal_id: number | null;
      private_paths: Array<string>;
      time_zone: string;
      snippet: string;
    }>;
  };

  /** Add a site. */
  'POST /sites': {
    body: {
      domain: string;
      account_id?: number;
      time_zone?: string;
    };
    data: {
      id: number;
      domain: string;
      account_id: number;
      role: 'viewer' | 'manager' | 'owner';
      created_at: string;
      weekly_report: boolean;
      monthly_report: boolean;
      public_live: boolean;
      alert_traffic: boolean;
      alert_silence: boolean;
      track_crawlers: boolean;
      shared: boolean;
      share_url: string | null;
      main_goal_id: number | null;
      private_paths: Array<string>;
      time_zone: string;
      snippet: string;
    };
  };

  /** One site. */
  'GET /sites/{site}': {
    path: {
      site: string | number;
    };
    data: {
      id: number;
      domain: string;
      account_id: number;
      role: 'viewer' | 'manager' | 'owner';
      created_at: string;
      weekly_report: boolean;
      monthly_report: boolean;
      public_live: boolean;
      alert_traffic: boolean;
      alert_silence: boolean;
      track_crawlers: boolean;
      shared: boolean;
      share_url: string | null;
      main_goal_id: number | null;
      private_paths: Array<string>;
      time_zone: string;
      snippet: string;
    };
  };

  /** Change the settings of a site, or its domain. */
  'PATCH /sites/{site}': {
    path: {
      site: string | number;
    };
    body: {
      weekly_report?: boolean;
      monthly_report?: boolean;
      public_live?: boolean;
      alert_traffic?: boolean;
      alert_silence?: boolean;
      track_crawlers?: boolean;
      domain?: string;
      shared?: boolean;
      main_goal_id?: number | null;
      private_paths?: Array<string>;
      time_zone?: string;
    };
    data: {
      id: number;
      domain: string;
      account_id: number;
      role: 'viewer' | 'manager' | 'owner';
      created_at: string;
      weekly_report: boolean;
      monthly_report: boolean;
      public_live: boolean;
      alert_traffic: boolean;
      alert_silence: boolean;
      track_crawlers: boolean;
      shared: boolean;
      share_url: string | null;
      main_goal_id: number | null;
      private_paths: Array<string>;
      time_zone: string;
      snippet: string;
    };
  };

  /** Delete a site and all its statistics. */
  'DELETE /sites/{site}': {
    path: {
      site: string | number;
    };
    data: undefined;
  };

  /** Goals of a site. */
  'GET /sites/{site}/goals': {
    path: {
      site: string | number;
    };
    data: Array<{
      id: number;
      type: 'page' | 'event';
      value: string;
      created_at: string;
    }>;
  };

  /** Add a goal. */
  'POST /sites/{site}/goals': {
    path: {
      site: string | number;
    };
    body: {
      type: 'page';
      value: string;
    } | {
      type: 'event';
      value: string;
    };
    data: {
      id: number;
      type: 'page' | 'event';
      value: string;
      created_at: string;
    };
  };

  /** Change a goal; past visits are counted by it too. */
  'PATCH /sites/{site}/goals/{goal}': {
    path: {
      site: string | number;
      goal: number;
    };
    body: {
      type?: 'page' | 'event';
      value?: string;
    };
    data: {
      id: number;
      type: 'page' | 'event';
      value: string;
      created_at: string;
    };
  };

  /** Delete a goal; visits stay. */
  'DELETE /sites/{site}/goals/{goal}': {
    path: {
      site: string | number;
      goal: number;
    };
    data: undefined;
  };

  /** Funnels of a site. */
  'GET /sites/{site}/funnels': {
    path: {
      site: string | number;
    };
    data: Array<{
      id: number;
      name: string;
      steps: Array<{
        type: 'page' | 'event';
        value: string;
      }>;
      created_at: string;
    }>;
  };

  /** Add a funnel of 2 to 8 steps. */
  'POST /sites/{site}/funnels': {
    path: {
      site: string | number;
    };
    body: {
      name: string;
      steps: Array<{
        type: 'page';
        value: string;
      } | {
        type: 'event';
        value: string;
      }>;
    };
    data: {
      id: number;
      name: string;
      steps: Array<{
        type: 'page' | 'event';
        value: string;
      }>;
      created_at: string;
    };
  };

  /** Change a funnel; past visits are counted by it too. */
  'PATCH /sites/{site}/funnels/{funnel}': {
    path: {
      site: string | number;
      funnel: number;
    };
    body: {
      name?: string;
      steps?: Array<{
        type: 'page';
        value: string;
      } | {
        type: 'event';
        value: string;
      }>;
    };
    data: {
      id: number;
      name: string;
      steps: Array<{
        type: 'page' | 'event';
        value: string;
      }>;
      created_at: string;
    };
  };

  /** Delete a funnel. */
  'DELETE /sites/{site}/funnels/{funnel}': {
    path: {
      site: string | number;
      funnel: number;
    };
    data: undefined;
  };

  /** Notes on the chart. */
  'GET /sites/{site}/notes': {
    path: {
      site: string | number;
    };
    query?: {
      from?: string;
      to?: string;
    };
    data: Array<{
      id: number;
      date: string;
      text: string;
      created_at: string;
    }>;
  };

  /** Add a note to a day. */
  'POST /sites/{site}/notes': {
    path: {
      site: string | number;
    };
    body: {
      date: string;
      text: string;
    };
    data: {
      id: number;
      date: string;
      text: string;
      created_at: string;
    };
  };

  /** The two weeks after the day of a note against the two before, and whether the change can be told from chance. */
  'GET /sites/{site}/notes/{note}/effect': {
    path: {
      site: string | number;
      note: number;
    };
    query?: {
      metric?: 'visitors' | 'pageviews' | 'conversions';
      goal?: number;
    };
    data: {
      metric: 'visitors' | 'pageviews' | 'conversions';
      goal?: number;
      before: {
        from: string;
        to: string;
        days: number;
        total: number;
      };
      after: {
        from: string;
        to: string;
        days: number;
        total: number;
      };
      change: number | null;
      interval: Array<number> | null;
      verdict: 'up' | 'down' | 'unclear' | 'too_few_days' | 'too_few_counted';
      sentence: string;
      notices?: Array<string>;
    };
  };

  /** Delete a note. */
  'DELETE /sites/{site}/notes/{note}': {
    path: {
      site: string | number;
      note: number;
    };
    data: undefined;
  };

  /** What is set aside of a site, and how many visits each exclusion takes. */
  'GET /sites/{site}/exclusions': {
    path: {
      site: string | number;
    };
    data: Array<{
      id: number;
      from: string;
      to: string | null;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      note: string;
      created_at: string;
      visits: number;
    }>;
  };

  /** Set visits aside: no answer counts them any more, and nothing is deleted. */
  'POST /sites/{site}/exclusions': {
    path: {
      site: string | number;
    };
    body: {
      from: string;
      to?: string | null;
      filters: {
        page?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        event?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        entry?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        exit?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        source?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        utm_source?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        utm_medium?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        utm_campaign?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        country?: string | {
          is?: Array<string>;
          not?: Array<string>;
        };
        device?: 'Desktop' | 'Mobile' | 'Tablet' | '' | {
          is?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
          not?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
        };
        browser?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        os?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        goal?: number | {
          is?: Array<number>;
          not?: Array<number>;
        };
        pageviews?: number | {
          is?: Array<number>;
          not?: Array<number>;
        };
      };
      note?: string;
    };
    data: {
      id: number;
      from: string;
      to: string | null;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      note: string;
      created_at: string;
      visits: number;
    };
  };

  /** What an exclusion would take, by day; nothing is stored. */
  'POST /sites/{site}/exclusions/preview': {
    path: {
      site: string | number;
    };
    body: {
      from: string;
      to?: string | null;
      filters: {
        page?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        event?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        entry?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        exit?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        source?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        utm_source?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        utm_medium?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        utm_campaign?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        country?: string | {
          is?: Array<string>;
          not?: Array<string>;
        };
        device?: 'Desktop' | 'Mobile' | 'Tablet' | '' | {
          is?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
          not?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
        };
        browser?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        os?: string | {
          is?: Array<string>;
          not?: Array<string>;
          like?: Array<string>;
          unlike?: Array<string>;
        };
        goal?: number | {
          is?: Array<number>;
          not?: Array<number>;
        };
        pageviews?: number | {
          is?: Array<number>;
          not?: Array<number>;
        };
      };
    };
    data: {
      visitors: number;
      visits: number;
      pageviews: number;
      events: number;
      days: Array<{
        date: string;
        visitors: number;
        visits: number;
        pageviews: number;
        events: number;
      }>;
      notices?: Array<string>;
    };
  };

  /** Exclusions that may be added for a day with far more visits than its weekday has, and what each would take. */
  'GET /sites/{site}/exclusions/suggestions': {
    path: {
      site: string | number;
    };
    query?: {
      date?: string;
    };
    data: Array<{
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      note: string;
      visitors: number;
      visits: number;
      pageviews: number;
      events: number;
    }>;
  };

  /** Put back what an exclusion took. */
  'DELETE /sites/{site}/exclusions/{exclusion}': {
    path: {
      site: string | number;
      exclusion: number;
    };
    data: undefined;
  };

  /** The saved views of the dashboard, by name. */
  'GET /sites/{site}/views': {
    path: {
      site: string | number;
    };
    data: Array<{
      id: number;
      name: string;
      query: string;
    }>;
  };

  /** Save a view. */
  'POST /sites/{site}/views': {
    path: {
      site: string | number;
    };
    body: {
      name: string;
      query: string;
    };
    data: {
      id: number;
      name: string;
      query: string;
    };
  };

  /** Remove a saved view. */
  'DELETE /sites/{site}/views/{view}': {
    path: {
      site: string | number;
      view: number;
    };
    data: undefined;
  };

  /** Origins that may show the public page of a site in a frame. */
  'GET /sites/{site}/embeds': {
    path: {
      site: string | number;
    };
    data: Array<{
      id: number;
      origin: string;
      created_at: string;
    }>;
  };

  /** Add an origin. */
  'POST /sites/{site}/embeds': {
    path: {
      site: string | number;
    };
    body: {
      origin: string;
    };
    data: {
      id: number;
      origin: string;
      created_at: string;
    };
  };

  /** Remove an origin. */
  'DELETE /sites/{site}/embeds/{embed}': {
    path: {
      site: string | number;
      embed: number;
    };
    data: undefined;
  };

  /** What patterns of private segments would do to the pages of the last 30 days. */
  'GET /sites/{site}/private-paths': {
    path: {
      site: string | number;
    };
    query?: {
      patterns?: string;
    };
    data: {
      from: string;
      to: string;
      pages: number;
      changed: number;
      changes: Array<{
        becomes: string;
        pages: number;
        examples: Array<string>;
      }>;
      targets: Array<{
        value: string;
        becomes: string;
      }>;
    };
  };

  /** What browsers sent last for a site since the server runs, and the last host that was not of the site. */
  'GET /sites/{site}/arrivals': {
    path: {
      site: string | number;
    };
    data: {
      last: {
        at: string;
        dropped: string | null;
      } | null;
      foreign: {
        at: string;
        host: string;
      } | null;
    };
  };

  /** Hits that your server saw. */
  'POST /sites/{site}/hits': {
    path: {
      site: string | number;
    };
    body: Array<{
      url: string;
      referrer?: string;
      event?: string;
      label?: string;
      ip: string;
      agent: string;
      at?: string;
    }>;
    data: {
      accepted: number;
      dropped: number;
    };
  };

  /** Requests that your server had; those of AI crawlers are counted. */
  'POST /sites/{site}/crawls': {
    path: {
      site: string | number;
    };
    body: Array<{
      url: string;
      agent: string;
      at?: string;
      status?: number;
    }>;
    data: {
      accepted: number;
      dropped: number;
    };
  };

  /** Visitors, pageviews, visits, bounce rate and visit duration, with the change since the period before or others. */
  'GET /sites/{site}/stats/overview': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      metrics?: 'time_on_page';
      compare?: string;
      compare_until?: 'now';
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      visitors: number;
      pageviews: number;
      visits: number;
      bounce_rate: number;
      visit_duration: number;
      complete?: false;
      time_on_page?: number | null;
      previous?: {
        from: string;
        to: string;
        visitors: number;
        pageviews: number;
        visits: number;
        bounce_rate: number;
        visit_duration: number;
        complete?: false;
        time_on_page?: number | null;
      };
      change?: {
        visitors: number | null;
        pageviews: number | null;
        visits: number | null;
        bounce_rate: number | null;
        visit_duration: number | null;
        time_on_page?: number | null;
      };
    };
  };

  /** Visitors and pageviews by hour, day, week or month; by day, beyond 90 days by month, where none is named. */
  'GET /sites/{site}/stats/timeseries': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      interval?: 'hour' | 'day' | 'week' | 'month';
      metrics?: string;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      interval: 'hour' | 'day' | 'week' | 'month';
      points: Array<{
        date: string;
        visitors: number;
        pageviews: number;
        visits?: number;
        bounce_rate?: number;
        visit_duration?: number;
        time_on_page?: number | null;
        complete?: false;
      }>;
    };
  };

  /** Top values of one dimension, by visitors or another figure. */
  'GET /sites/{site}/stats/breakdown/{breakdown}': {
    path: {
      site: string | number;
      breakdown: 'pages' | 'events' | 'event_labels' | 'entry_pages' | 'exit_pages' | 'referrers' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'countries' | 'devices' | 'browsers' | 'operating_systems';
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      limit?: number;
      event?: string;
      metrics?: string;
      goal?: number;
      sort?: 'visits' | 'pageviews' | 'bounce_rate' | 'visit_duration' | 'time_on_page' | 'count' | 'conversions' | 'conversion_rate';
      search?: string;
      offset?: number;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      breakdown: 'pages' | 'events' | 'event_labels' | 'entry_pages' | 'exit_pages' | 'referrers' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'countries' | 'devices' | 'browsers' | 'operating_systems';
      rows: Array<{
        value: string;
        visitors: number;
        visits?: number | null;
        pageviews?: number | null;
        bounce_rate?: number | null;
        visit_duration?: number | null;
        time_on_page?: number | null;
        count?: number | null;
        conversions?: number | null;
        conversion_rate?: number | null;
      }>;
    };
  };

  /** Who reached each goal, how often, and the conversion rate. */
  'GET /sites/{site}/stats/goals': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      goals: Array<{
        id: number;
        type: 'page' | 'event';
        value: string;
        visitors: number;
        conversions: number;
        conversion_rate: number;
      }>;
    };
  };

  /** Visitors of the last five minutes. */
  'GET /sites/{site}/stats/realtime': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      visitors: number;
    };
  };

  /** Visitors of the last five minutes, and what was seen in the last thirty, by minute. */
  'GET /sites/{site}/stats/live': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      visitors: number;
      minutes: Array<{
        at: string;
        visitors: number;
        pageviews: number;
      }>;
      pages: Array<{
        value: string;
        visitors: number;
      }>;
      referrers: Array<{
        value: string;
        visitors: number;
      }>;
      countries: Array<{
        value: string;
        visitors: number;
      }>;
      events: Array<{
        value: string;
        visitors: number;
      }>;
    };
  };

  /** Requests of AI crawlers, and the pages they read most. */
  'GET /sites/{site}/stats/bots': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
      limit?: number;
      crawler?: 'gptbot' | 'oai-searchbot' | 'chatgpt-user' | 'claudebot' | 'anthropic-ai' | 'claude-web' | 'claude-searchbot' | 'claude-user' | 'claude-code' | 'perplexitybot' | 'perplexity-user' | 'google-cloudvertexbot' | 'googleother' | 'google-notebooklm' | 'google-gemininotebook' | 'gemini-deep-research' | 'googleagent-mariner' | 'googleagent-urlcontext' | 'google-agent' | 'meta-externalagent' | 'facebookbot' | 'meta-webindexer' | 'meta-externalfetcher' | 'ccbot' | 'bytespider' | 'tiktokspider' | 'applebot' | 'amazonbot' | 'amzn-searchbot' | 'amzn-user' | 'bedrockbot' | 'novaact' | 'azureai-searchbot' | 'duckassistbot' | 'mistralai-user' | 'mistralai-index' | 'mistralai-training' | 'cohere-training-data-crawler' | 'cohere-ai' | 'youbot' | 'petalbot' | 'pangubot' | 'linkupbot' | 'exasearchbot' | 'andibot' | 'iaskspider' | 'iaskbot' | 'phindbot' | 'linerbot' | 'tavilybot' | 'shapbot' | 'yandexadditional' | 'diffbot' | 'firecrawlagent' | 'imagesiftbot' | 'webzio-extended' | 'omgili' | 'timpibot' | 'ai2bot' | 'deepseekbot' | 'chatglm-spider' | 'sbintuitionsbot' | 'kimi-user' | 'manus-user' | 'kagi-fetcher' | 'tongyibot' | 'yiyanbot' | 'devin' | 'opencode';
    };
    data: {
      from: string;
      to: string;
      total: number;
      crawlers: Array<{
        crawler: string;
        name: string;
        operator: string;
        purpose: 'training' | 'search' | 'user' | 'other';
        requests: number;
      }>;
      pages: Array<{
        page: string;
        requests: number;
      }>;
      notices?: Array<string>;
    };
  };

  /** Visitors at each step of a funnel. */
  'GET /sites/{site}/stats/funnels/{funnel}': {
    path: {
      site: string | number;
      funnel: number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      funnel: {
        id: number;
        name: string;
      };
      steps: Array<{
        type: 'page' | 'event';
        value: string;
        visitors: number;
        share_of_previous: number;
        share_of_first: number;
      }>;
    };
  };

  /** Visitors that AI assistants sent. */
  'GET /sites/{site}/stats/assistants': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      rows: Array<{
        value: string;
        name: string;
        visitors: number;
      }>;
    };
  };

  /** What was not counted, and why; filters do not apply. */
  'GET /sites/{site}/stats/drops': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
    };
    data: {
      from: string;
      to: string;
      drops: Array<{
        reason: string;
        hits: number;
      }>;
      notices?: Array<string>;
    };
  };

  /** When hits were not collected, and why; filters do not apply. */
  'GET /sites/{site}/stats/outages': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
    };
    data: {
      outages: Array<{
        from: string;
        to: string;
        reason: 'down' | 'refused';
      }>;
    };
  };

  /** A receipt of each day: its state, what is set aside and dropped, and when it was counted again; filters do not apply. */
  'GET /sites/{site}/stats/days': {
    path: {
      site: string | number;
    };
    query?: {
      range?: string;
      'filters[page]'?: string;
      'filters[page][is]'?: Array<string>;
      'filters[page][not]'?: Array<string>;
      'filters[page][like]'?: Array<string>;
      'filters[page][unlike]'?: Array<string>;
      'filters[event]'?: string;
      'filters[event][is]'?: Array<string>;
      'filters[event][not]'?: Array<string>;
      'filters[event][like]'?: Array<string>;
      'filters[event][unlike]'?: Array<string>;
      'filters[entry]'?: string;
      'filters[entry][is]'?: Array<string>;
      'filters[entry][not]'?: Array<string>;
      'filters[entry][like]'?: Array<string>;
      'filters[entry][unlike]'?: Array<string>;
      'filters[exit]'?: string;
      'filters[exit][is]'?: Array<string>;
      'filters[exit][not]'?: Array<string>;
      'filters[exit][like]'?: Array<string>;
      'filters[exit][unlike]'?: Array<string>;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      'filters[goal]'?: number;
      'filters[goal][is]'?: Array<number>;
      'filters[goal][not]'?: Array<number>;
      'filters[pageviews]'?: number;
      'filters[pageviews][is]'?: Array<number>;
      'filters[pageviews][not]'?: Array<number>;
    };
    data: {
      days: Array<{
        date: string;
        state: 'open' | 'sealed' | 'sums';
        visitors: number;
        recounted_at: string | null;
        import_id: number | null;
        excluded_visits: number;
        dropped: number;
        complete: boolean;
      }>;
    };
  };

  /** The overview of all sites you may see, or of some, added up. */
  'GET /stats/overview': {
    query?: {
      range?: string;
      sites?: string;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      compare?: string;
      compare_until?: 'now';
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      visitors: number;
      pageviews: number;
      visits: number;
      bounce_rate: number;
      visit_duration: number;
      complete?: false;
      time_on_page?: number | null;
      previous?: {
        from: string;
        to: string;
        visitors: number;
        pageviews: number;
        visits: number;
        bounce_rate: number;
        visit_duration: number;
        complete?: false;
        time_on_page?: number | null;
      };
      change?: {
        visitors: number | null;
        pageviews: number | null;
        visits: number | null;
        bounce_rate: number | null;
        visit_duration: number | null;
        time_on_page?: number | null;
      };
    };
  };

  /** Their visitors and pageviews by day, week or month; by day, beyond 90 days by month, where none is named. */
  'GET /stats/timeseries': {
    query?: {
      range?: string;
      sites?: string;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      interval?: 'day' | 'week' | 'month';
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      interval: 'hour' | 'day' | 'week' | 'month';
      points: Array<{
        date: string;
        visitors: number;
        pageviews: number;
        visits?: number;
        bounce_rate?: number;
        visit_duration?: number;
        time_on_page?: number | null;
        complete?: false;
      }>;
    };
  };

  /** Top sites, or top values of one dimension of all of them, by visitors. */
  'GET /stats/breakdown/{breakdown}': {
    path: {
      breakdown: 'sites' | 'referrers' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'countries' | 'devices' | 'browsers' | 'operating_systems';
    };
    query?: {
      range?: string;
      sites?: string;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
      limit?: number;
      offset?: number;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      breakdown: 'sites' | 'referrers' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'countries' | 'devices' | 'browsers' | 'operating_systems';
      rows: Array<{
        value: string;
        visitors: number;
      }>;
    };
  };

  /** Visitors of the last five minutes on all of them. */
  'GET /stats/realtime': {
    query?: {
      range?: string;
      sites?: string;
      'filters[source]'?: string;
      'filters[source][is]'?: Array<string>;
      'filters[source][not]'?: Array<string>;
      'filters[source][like]'?: Array<string>;
      'filters[source][unlike]'?: Array<string>;
      'filters[utm_source]'?: string;
      'filters[utm_source][is]'?: Array<string>;
      'filters[utm_source][not]'?: Array<string>;
      'filters[utm_source][like]'?: Array<string>;
      'filters[utm_source][unlike]'?: Array<string>;
      'filters[utm_medium]'?: string;
      'filters[utm_medium][is]'?: Array<string>;
      'filters[utm_medium][not]'?: Array<string>;
      'filters[utm_medium][like]'?: Array<string>;
      'filters[utm_medium][unlike]'?: Array<string>;
      'filters[utm_campaign]'?: string;
      'filters[utm_campaign][is]'?: Array<string>;
      'filters[utm_campaign][not]'?: Array<string>;
      'filters[utm_campaign][like]'?: Array<string>;
      'filters[utm_campaign][unlike]'?: Array<string>;
      'filters[country]'?: string;
      'filters[country][is]'?: Array<string>;
      'filters[country][not]'?: Array<string>;
      'filters[device]'?: 'Desktop' | 'Mobile' | 'Tablet' | '';
      'filters[device][is]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[device][not]'?: Array<'Desktop' | 'Mobile' | 'Tablet' | ''>;
      'filters[browser]'?: string;
      'filters[browser][is]'?: Array<string>;
      'filters[browser][not]'?: Array<string>;
      'filters[browser][like]'?: Array<string>;
      'filters[browser][unlike]'?: Array<string>;
      'filters[os]'?: string;
      'filters[os][is]'?: Array<string>;
      'filters[os][not]'?: Array<string>;
      'filters[os][like]'?: Array<string>;
      'filters[os][unlike]'?: Array<string>;
    };
    data: {
      from: string;
      to: string;
      filters: Record<string, string | number | {
        is?: Array<string | number>;
        not?: Array<string | number>;
        like?: Array<string | number>;
        unlike?: Array<string | number>;
      }>;
      notices?: Array<string>;
      visitors: number;
    };
  };

  /** Your team, its limit, and the teams you belong to. */
  'GET /team': {
    data: {
      members: Array<{
        id: number;
        email: string;
        role: 'viewer' | 'manager';
        status: 'active' | 'invited';
        created_at: string;
      }>;
      limit: number | null;
      teams: Array<{
        account_id: number;
        owner: string;
        role: 'viewer' | 'manager';
      }>;
    };
  };

  /** Invite a person, or renew an open invitation. */
  'POST /team': {
    body: {
      email: string;
      role: 'viewer' | 'manager';
    };
    data: {
      id: number;
      email: string;
      role: 'viewer' | 'manager';
      status: 'active' | 'invited';
      created_at: string;
      invitation_url: string;
    };
  };

  /** Change the role of a person. */
  'PATCH /team/{member}': {
    path: {
      member: number;
    };
    body: {
      role?: 'viewer' | 'manager';
    };
    data: {
      id: number;
      email: string;
      role: 'viewer' | 'manager';
      status: 'active' | 'invited';
      created_at: string;
    };
  };

  /** Remove a person or an open invitation. */
  'DELETE /team/{member}': {
    path: {
      member: number;
    };
    data: undefined;
  };

  /** Your tokens. */
  'GET /tokens': {
    data: Array<{
      id: number;
      name: string;
      abilities: Array<'read' | 'write' | 'collect'>;
      created_at: string;
      last_used_at: string | null;
    }>;
  };

  /** Add a token; its plain value is in this answer only. */
  'POST /tokens': {
    body: {
      name: string;
      abilities: Array<'read' | 'write' | 'collect'>;
    };
    data: {
      id: number;
      name: string;
      abilities: Array<'read' | 'write' | 'collect'>;
      created_at: string;
      last_used_at: string | null;
      token: string;
    };
  };

  /** Revoke a token. */
  'DELETE /tokens/{token}': {
    path: {
      token: number;
    };
    data: undefined;
  };

  /** Where you are signed in at the dashboard. */
  'GET /sessions': {
    data: Array<{
      id: number;
      browser: string;
      created_at: string;
      used_at: string;
      current: boolean;
    }>;
  };

  /** Sign out there. */
  'DELETE /sessions/{session}': {
    path: {
      session: number;
    };
    data: undefined;
  };

  /** What needs attention on the server, and how this request came. */
  'GET /server': {
    data: {
      findings: Array<{
        name: string;
        fine: boolean;
        says: string;
        remedy?: string;
      }>;
      request: {
        fine: boolean;
        says: string;
        remedy?: string;
        sender: string;
        visitor: string;
        believed: boolean;
        headers: Array<{
          name: string;
          value: string;
        }>;
      };
    };
  };
};
