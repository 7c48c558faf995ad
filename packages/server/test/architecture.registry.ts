/**
 * Each domain may import those before it, and none after it. The tables of facts about series and providers
 * come first: they are data without behaviour, and people's sources are shown by their names. The two wings,
 * health and lab, import nothing of each other.
 */
export const DOMAINS = [
  'health/series',
  'health/providers',
  'accounts/teams',
  'accounts/users',
  'health/connections',
  'health/source-priorities',
  'health/ingest',
  'health/timeseries',
  'health/summaries',
  'health/coverage',
  'health/imports',
  'health/queries',
  'health/continuous-queries',
  'lab/catalog',
  'lab/lifecycle',
  'lab/gateways',
  'lab/documents',
  'lab/orders',
  'lab/results',
  'lab/inbox',
  'lab/sandbox',
  'webhooks',
  'accounts/erasure',
  'webhooks/event-catalog',
  'openapi',
]
/** Files that put the parts together; each may import those before it. */
export const TOP = [
  'config.ts',
  'shutdown.ts',
  'stores.ts',
  'keys-file.ts',
  'reach-database.ts',
  'recover-keys.ts',
  'audit.ts',
  'services.ts',
  'http-server.ts',
  'app.ts',
  'main.ts',
]
