import { resolve } from 'node:path'
import { OPENID_SETTINGS } from '@salus/accounts/console'
import { parseOperatorApps } from '@salus/health/connectors'
import { CLICKHOUSE_SETTINGS } from '@salus/kernel/clickhouse/clickhouse-settings'
import { parseSecretKeys } from '@salus/kernel/crypto/secret-key'
import { StartupError } from '@salus/kernel/errors'
import { FILES_SETTINGS } from '@salus/kernel/files/files-settings'
import { PAGE_SETTINGS } from '@salus/kernel/http/operator-pages'
import { RATE_LIMIT_SETTINGS } from '@salus/kernel/http/rate-limits'
import {
  anyUrl,
  boolean,
  integer,
  matching,
  networks,
  oneOf,
  optionalPort,
  type Setting,
  setting,
  timeZone,
  trueFalseOrAuto,
  url,
  zipCodes,
} from '@salus/kernel/settings'
import { TELEMETRY_SETTINGS } from '@salus/kernel/telemetry/telemetry-settings'
import { LAB_REPORT_SETTINGS } from '@salus/lab/reports'

const ROLES = ['api', 'worker'] as const
export type Role = (typeof ROLES)[number]

function roles(text: string | undefined): Role[] {
  const named = (text || 'api,worker').split(',').map((role) => role.trim())
  return named.map((name) => {
    const role = ROLES.find((known) => known === name)
    if (role === undefined) {
      throw new StartupError('SALUS_ROLES must be a comma-separated list of api and worker.')
    }
    return role
  })
}

const teamKey = matching(
  'SALUS_API_KEY',
  /^(sk|pk)_(us|eu)_[0-9A-Za-z_-]{16,}$/,
  'look like sk_us_… (sandbox) or pk_us_… (production), with at least 16 letters or digits after the prefix',
)
const managementKey = matching(
  'SALUS_MANAGEMENT_KEY',
  /^mg_[0-9A-Za-z_-]{16,}$/,
  'start with mg_, with at least 16 letters or digits after it',
)

/**
 * Every setting, in the order in which the docs list them: docs/settings.md is made of this table.
 */
export const SETTINGS = {
  port: setting(
    'PORT',
    'Port to listen on; 0 takes any free one.',
    '8787',
    integer('PORT', 8787, 0, 65535),
  ),
  host: setting('HOST', 'Address to listen on.', '127.0.0.1', (text) => text || '127.0.0.1'),
  dataDirectory: setting(
    'SALUS_DATA_DIR',
    'Folder of the embedded databases, of files and of the first keys.',
    './data',
    (text) => resolve(text || './data'),
  ),
  roles: setting(
    'SALUS_ROLES',
    'What this process does: api, worker, or both.',
    'api,worker',
    roles,
  ),
  drainSeconds: setting(
    'SALUS_DRAIN_SECONDS',
    'After a signal to stop, so long everything is still served while readiness answers 503, so that a load balancer sends requests elsewhere first.',
    '0',
    integer('SALUS_DRAIN_SECONDS', 0, 0, 300),
  ),
  migrate: setting(
    'SALUS_MIGRATE',
    'When the schemas of the stores are brought up to date: start does it at each start; only does it and ends; wait leaves it to another process, and the making of the first team, and starts when that has done both.',
    'start',
    oneOf('SALUS_MIGRATE', ['start', 'only', 'wait'], 'start'),
  ),
  healthPort: setting(
    'SALUS_HEALTH_PORT',
    'Port on which a process that is only a worker answers /health and /metrics; without it such a process listens to nothing.',
    '',
    optionalPort('SALUS_HEALTH_PORT'),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'An external PostgreSQL, version 15 or newer; without it an embedded one runs under SALUS_DATA_DIR.',
    '',
    url('DATABASE_URL', ['postgres:', 'postgresql:']),
  ),
  databaseConnections: setting(
    'SALUS_DATABASE_CONNECTIONS',
    'Most connections to PostgreSQL that this process opens. All processes together stay below its max_connections.',
    '20',
    integer('SALUS_DATABASE_CONNECTIONS', 20, 12, 1000),
  ),
  ...CLICKHOUSE_SETTINGS,
  ...FILES_SETTINGS,
  apiKey: setting(
    'SALUS_API_KEY',
    "The first team's key, given instead of generated. sk_ is sandbox, pk_ is production.",
    '',
    teamKey,
  ),
  managementKey: setting(
    'SALUS_MANAGEMENT_KEY',
    'The management key, given instead of generated.',
    '',
    managementKey,
  ),
  region: setting(
    'SALUS_REGION',
    'Region of the first team and of generated keys.',
    'us',
    oneOf('SALUS_REGION', ['us', 'eu'], 'us'),
  ),
  baseUrl: setting(
    'SALUS_BASE_URL',
    'Public address of this deployment, used in links and logos; without it the address of the request is used.',
    '',
    url('SALUS_BASE_URL', ['http:', 'https:']),
  ),
  trustedProxies: setting(
    'SALUS_TRUSTED_PROXIES',
    'Addresses and networks of reverse proxies, comma-separated: from them the X-Forwarded headers are believed, which tell whose a request is, and how it came. Limits by client address need it behind a proxy.',
    '',
    networks('SALUS_TRUSTED_PROXIES'),
  ),
  ...RATE_LIMIT_SETTINGS,
  appUrl: setting(
    'SALUS_APP_URL',
    'What opens your companion app: link codes lead there, with code=… in the query.',
    'salus://salus',
    anyUrl('SALUS_APP_URL', 'salus://salus'),
  ),
  consoleSignInCode: setting(
    'SALUS_CONSOLE_SIGN_IN_CODE',
    'Print an address at each start that opens the console signed in, once and for 15 minutes. Without it, "salus console" prints one when it is needed.',
    'true',
    boolean('SALUS_CONSOLE_SIGN_IN_CODE', true),
  ),
  ...OPENID_SETTINGS,
  logLevel: setting(
    'SALUS_LOG_LEVEL',
    'debug, info, warn, error or silent.',
    'info',
    oneOf('SALUS_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  ),
  logFormat: setting(
    'SALUS_LOG_FORMAT',
    'json, pretty, or auto: pretty on a terminal and JSON elsewhere.',
    'auto',
    oneOf('SALUS_LOG_FORMAT', ['auto', 'json', 'pretty'], 'auto'),
  ),
  ...PAGE_SETTINGS,
  ...TELEMETRY_SETTINGS,
  aliasesEnabled: setting(
    'SALUS_COMPAT_ALIASES',
    'Accept the header and media-type names that public client libraries send.',
    'true',
    boolean('SALUS_COMPAT_ALIASES', true),
  ),
  legacyTimeseriesEnabled: setting(
    'SALUS_COMPAT_LEGACY_TIMESERIES',
    'Offer the flat, deprecated time series paths.',
    'true',
    boolean('SALUS_COMPAT_LEGACY_TIMESERIES', true),
  ),
  timeseriesPageSize: setting(
    'SALUS_TIMESERIES_PAGE_SIZE',
    'Samples on one page of a grouped read.',
    '10000',
    integer('SALUS_TIMESERIES_PAGE_SIZE', 10_000, 1, 100_000),
  ),
  queryMaxSourceRows: setting(
    'SALUS_QUERY_MAX_SOURCE_ROWS',
    'Most rows that one query may read; more is refused. Five years of one sample a minute are 2.6 million.',
    '5000000',
    integer('SALUS_QUERY_MAX_SOURCE_ROWS', 5_000_000, 1000, 1_000_000_000),
  ),
  continuousQueryDays: setting(
    'SALUS_CONTINUOUS_QUERY_DAYS',
    'How many days back continuous queries are evaluated.',
    '365',
    integer('SALUS_CONTINUOUS_QUERY_DAYS', 365, 1, 1826),
  ),
  sandboxUserLimit: setting(
    'SALUS_SANDBOX_USER_LIMIT',
    'Most users of a team in its sandbox; 0 is no limit.',
    '0',
    integer('SALUS_SANDBOX_USER_LIMIT', 0, 0, 1_000_000_000),
  ),
  secretKeys: setting(
    'SALUS_SECRET_KEY',
    'Seals secrets in the database: 32 random bytes in base64. Several, comma-separated, are for a change of it: the first seals, all open. Without it a key is made and kept in SALUS_DATA_DIR.',
    '',
    parseSecretKeys,
  ),
  webhooksAllowHttp: setting(
    'SALUS_WEBHOOKS_ALLOW_HTTP',
    'Also send webhooks to http addresses.',
    'false',
    boolean('SALUS_WEBHOOKS_ALLOW_HTTP', false),
  ),
  webhooksAllowPrivate: setting(
    'SALUS_WEBHOOKS_ALLOW_PRIVATE',
    'Also send webhooks to private and local addresses.',
    'false',
    boolean('SALUS_WEBHOOKS_ALLOW_PRIVATE', false),
  ),
  eventRetentionDays: setting(
    'SALUS_EVENT_RETENTION_DAYS',
    'Days that events, their deliveries and attempts are kept; 0 keeps them for good.',
    '90',
    integer('SALUS_EVENT_RETENTION_DAYS', 90, 0, 36_500),
  ),
  sandboxAutoProgress: setting(
    'SALUS_SANDBOX_AUTO_PROGRESS',
    'Orders of sandboxes go on by themselves, each step after a believable time.',
    'false',
    boolean('SALUS_SANDBOX_AUTO_PROGRESS', false),
  ),
  providerEmulator: setting(
    'SALUS_SANDBOX_PROVIDERS',
    'Vendors of sandboxes are played by an emulator; without it nobody connects to one there. auto plays them unless SALUS_BASE_URL is an https address: an installation in production has to switch them on.',
    'auto',
    trueFalseOrAuto('SALUS_SANDBOX_PROVIDERS'),
  ),
  sandboxPhlebotomyZips: setting(
    'SALUS_SANDBOX_PHLEBOTOMY_ZIPS',
    'ZIP codes to which phlebotomists of sandboxes come, comma-separated; without it all where people live.',
    '',
    zipCodes('SALUS_SANDBOX_PHLEBOTOMY_ZIPS'),
  ),
  orderTimeZone: setting(
    'SALUS_ORDER_TIME_ZONE',
    'Time zone in which the day begins on which scheduled orders are handed over.',
    'UTC',
    timeZone('SALUS_ORDER_TIME_ZONE', 'UTC'),
  ),
  importMaxBytes: setting(
    'SALUS_IMPORT_MAX_BYTES',
    'Largest export file that an import accepts, in bytes.',
    '21474836480',
    integer('SALUS_IMPORT_MAX_BYTES', 20 * 1024 ** 3, 1024, Number.MAX_SAFE_INTEGER),
  ),
  ...LAB_REPORT_SETTINGS,
  operatorApps: setting(
    'SALUS_PROVIDER_APPS',
    'Apps that you registered with providers: JSON such as {"oura": {"client_id": "…", "client_secret": "…"}}, or the path of a file of it. Sandboxes need none.',
    '',
    parseOperatorApps,
  ),
  linkNeedsTeamKey: setting(
    'SALUS_LINK_NEEDS_TEAM_KEY',
    'Take link tokens only beside a key of the team. The page and the apps that people link in have none.',
    'false',
    boolean('SALUS_LINK_NEEDS_TEAM_KEY', false),
  ),
  bulkOperationsEnabled: setting(
    'SALUS_BULK_OPERATIONS',
    'Offer to import, export, pause and pull many connections at once; an export shows the tokens of people.',
    'true',
    boolean('SALUS_BULK_OPERATIONS', true),
  ),
  demoUserDays: setting(
    'SALUS_DEMO_USER_DAYS',
    'Days after which users with demo connections are deleted; 0 keeps them.',
    '0',
    integer('SALUS_DEMO_USER_DAYS', 0, 0, 3650),
  ),
} satisfies Record<string, Setting<unknown>>
