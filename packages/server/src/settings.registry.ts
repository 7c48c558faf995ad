import { resolve } from 'node:path'
import { OPENID_SETTINGS } from '@salus/accounts/console'
import { parseOperatorApps } from '@salus/health/connectors'
import { AUDIT_SETTINGS } from '@salus/kernel/audit/audit-retention'
import { CLICKHOUSE_SETTINGS } from '@salus/kernel/clickhouse/clickhouse-settings'
import { parseSecretKeys } from '@salus/kernel/crypto/secret-key'
import { StartupError } from '@salus/kernel/errors'
import { FILES_SETTINGS } from '@salus/kernel/files/files-settings'
import { COMPRESSION_SETTINGS } from '@salus/kernel/http/compression'
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
import { type LabPartnerSettings, parseLabPartners } from '@salus/lab-partners'

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

const replicaUrl = url('DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'])

/** A comma within a password does not separate any. */
const replicaUrls = (text = ''): string[] =>
  text.split(/\s*,\s*(?=postgres(?:ql)?:)/).flatMap((address) => replicaUrl(address.trim()) ?? [])

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

/** Every setting, in the order of the docs: docs/settings.md is generated from this table. */
export const SETTINGS = {
  port: setting(
    'PORT',
    'Port that the server listens on; 0 selects any free port.',
    '8787',
    integer('PORT', 8787, 0, 65535),
  ),
  host: setting(
    'HOST',
    'Address that the server listens on.',
    '127.0.0.1',
    (text) => text || '127.0.0.1',
  ),
  dataDirectory: setting(
    'SALUS_DATA_DIR',
    'Directory of the embedded databases, of files and of the first keys.',
    './data',
    (text) => resolve(text || './data'),
  ),
  roles: setting(
    'SALUS_ROLES',
    'Roles of this process: api, worker, or both.',
    'api,worker',
    roles,
  ),
  drainSeconds: setting(
    'SALUS_DRAIN_SECONDS',
    'Seconds after a signal to stop in which requests are still served while readiness answers 503, so that a load balancer stops sending requests first.',
    '0',
    integer('SALUS_DRAIN_SECONDS', 0, 0, 300),
  ),
  migrate: setting(
    'SALUS_MIGRATE',
    'When the schemas of the stores are migrated: start migrates them at each start; only migrates them and exits; wait leaves this and the creation of the first team to another process, and starts when that process has done both.',
    'start',
    oneOf('SALUS_MIGRATE', ['start', 'only', 'wait'], 'start'),
  ),
  healthPort: setting(
    'SALUS_HEALTH_PORT',
    'Port on which a process that is only a worker serves /health and /metrics; without it such a process listens on no port.',
    '',
    optionalPort('SALUS_HEALTH_PORT'),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'URL of an external PostgreSQL, version 15 or newer; without it an embedded one runs in SALUS_DATA_DIR.',
    '',
    url('DATABASE_URL', ['postgres:', 'postgresql:']),
  ),
  databaseDirectUrl: setting(
    'DATABASE_DIRECT_URL',
    'URL of the same PostgreSQL without a pooler, for the one connection of this process that has locks and notifications, and for migrations and backups. Needed where DATABASE_URL leads to a pooler of transactions, such as PgBouncer.',
    '',
    url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']),
  ),
  databaseReplicaUrls: setting(
    'DATABASE_REPLICA_URL',
    'URLs of read replicas of the PostgreSQL of DATABASE_URL, comma-separated: hot standbys, which lists, reports and exports read from. Without one that is reachable and recent enough, they read from DATABASE_URL.',
    '',
    replicaUrls,
  ),
  replicaMaxLagSeconds: setting(
    'SALUS_REPLICA_MAX_LAG_SECONDS',
    'Seconds that a replica may be behind to be read from. Only figures of operation are then that old; lists show everything that was written before.',
    '10',
    integer('SALUS_REPLICA_MAX_LAG_SECONDS', 10, 2, 3600),
  ),
  databaseConnections: setting(
    'SALUS_DATABASE_CONNECTIONS',
    'Maximum number of connections to PostgreSQL that this process opens. The sum over all processes has to stay below its max_connections, or that of a pooler.',
    '6',
    integer('SALUS_DATABASE_CONNECTIONS', 6, 6, 1000),
  ),
  ...CLICKHOUSE_SETTINGS,
  ...FILES_SETTINGS,
  apiKey: setting(
    'SALUS_API_KEY',
    'API key of the first team, which is generated otherwise. sk_ stands for sandbox, pk_ for production.',
    '',
    teamKey,
  ),
  managementKey: setting(
    'SALUS_MANAGEMENT_KEY',
    'First management key, which is generated otherwise.',
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
    'Public URL of this deployment, which links and logos use; without it the address of the request is used.',
    '',
    url('SALUS_BASE_URL', ['http:', 'https:']),
  ),
  trustedProxies: setting(
    'SALUS_TRUSTED_PROXIES',
    'Addresses and networks of reverse proxies, comma-separated. X-Forwarded headers, which name the address of the client and the protocol, are trusted only from them. Behind a proxy, limits by client address need this setting.',
    '',
    networks('SALUS_TRUSTED_PROXIES'),
  ),
  ...COMPRESSION_SETTINGS,
  ...RATE_LIMIT_SETTINGS,
  appUrl: setting(
    'SALUS_APP_URL',
    'URL that opens your companion app; link codes are appended to it as code=… in the query.',
    'salus://salus',
    anyUrl('SALUS_APP_URL', 'salus://salus'),
  ),
  consoleSignInCode: setting(
    'SALUS_CONSOLE_SIGN_IN_CODE',
    'Prints a URL at each start that signs in to the console; it works once and for 15 minutes. With false, "salus console" prints one when it is needed.',
    'true',
    boolean('SALUS_CONSOLE_SIGN_IN_CODE', true),
  ),
  ...OPENID_SETTINGS,
  logLevel: setting(
    'SALUS_LOG_LEVEL',
    'Level of the log: debug, info, warn, error or silent.',
    'info',
    oneOf('SALUS_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  ),
  logFormat: setting(
    'SALUS_LOG_FORMAT',
    'Format of the log: json, pretty, or auto, which is pretty on a terminal and json elsewhere.',
    'auto',
    oneOf('SALUS_LOG_FORMAT', ['auto', 'json', 'pretty'], 'auto'),
  ),
  ...PAGE_SETTINGS,
  ...TELEMETRY_SETTINGS,
  aliasesEnabled: setting(
    'SALUS_COMPAT_ALIASES',
    'Accepts the header and media-type names that public client libraries send.',
    'true',
    boolean('SALUS_COMPAT_ALIASES', true),
  ),
  legacyTimeseriesEnabled: setting(
    'SALUS_COMPAT_LEGACY_TIMESERIES',
    'Serves the deprecated time series paths that return flat lists.',
    'true',
    boolean('SALUS_COMPAT_LEGACY_TIMESERIES', true),
  ),
  timeseriesPageSize: setting(
    'SALUS_TIMESERIES_PAGE_SIZE',
    'Maximum number of samples on one page of a grouped read.',
    '10000',
    integer('SALUS_TIMESERIES_PAGE_SIZE', 10_000, 1, 100_000),
  ),
  queryMaxSourceRows: setting(
    'SALUS_QUERY_MAX_SOURCE_ROWS',
    'Maximum number of rows that one query may read. Five years of one sample per minute are 2.6 million rows.',
    '5000000',
    integer('SALUS_QUERY_MAX_SOURCE_ROWS', 5_000_000, 1000, 1_000_000_000),
  ),
  continuousQueryDays: setting(
    'SALUS_CONTINUOUS_QUERY_DAYS',
    'Number of past days for which continuous queries are evaluated.',
    '365',
    integer('SALUS_CONTINUOUS_QUERY_DAYS', 365, 1, 1826),
  ),
  sandboxUserLimit: setting(
    'SALUS_SANDBOX_USER_LIMIT',
    'Maximum number of users of a team in its sandbox; 0 means no limit.',
    '0',
    integer('SALUS_SANDBOX_USER_LIMIT', 0, 0, 1_000_000_000),
  ),
  secretKeys: setting(
    'SALUS_SECRET_KEY',
    'Key that encrypts secrets in the database: 32 random bytes in base64. For a rotation give several, comma-separated: the first encrypts, all decrypt. Without it a key is generated and stored in SALUS_DATA_DIR.',
    '',
    parseSecretKeys,
  ),
  webhooksAllowHttp: setting(
    'SALUS_WEBHOOKS_ALLOW_HTTP',
    'Allows webhooks to http URLs.',
    'false',
    boolean('SALUS_WEBHOOKS_ALLOW_HTTP', false),
  ),
  webhooksAllowPrivate: setting(
    'SALUS_WEBHOOKS_ALLOW_PRIVATE',
    'Allows webhooks to private and local addresses.',
    'false',
    boolean('SALUS_WEBHOOKS_ALLOW_PRIVATE', false),
  ),
  eventRetentionDays: setting(
    'SALUS_EVENT_RETENTION_DAYS',
    'Number of days for which events, their deliveries and attempts are kept; 0 keeps them forever.',
    '90',
    integer('SALUS_EVENT_RETENTION_DAYS', 90, 0, 36_500),
  ),
  ...AUDIT_SETTINGS,
  sandboxAutoProgress: setting(
    'SALUS_SANDBOX_AUTO_PROGRESS',
    'Advances orders of sandboxes automatically, each step after a realistic time.',
    'false',
    boolean('SALUS_SANDBOX_AUTO_PROGRESS', false),
  ),
  providerEmulator: setting(
    'SALUS_SANDBOX_PROVIDERS',
    'Emulates the providers in sandboxes; without the emulator no user can connect to a provider there. auto means true unless SALUS_BASE_URL is an https URL, so a production installation has to enable it.',
    'auto',
    trueFalseOrAuto('SALUS_SANDBOX_PROVIDERS'),
  ),
  sandboxPhlebotomyZips: setting(
    'SALUS_SANDBOX_PHLEBOTOMY_ZIPS',
    'ZIP codes that phlebotomists of sandboxes serve, comma-separated; without it they serve all inhabited ZIP codes.',
    '',
    zipCodes('SALUS_SANDBOX_PHLEBOTOMY_ZIPS'),
  ),
  orderTimeZone: setting(
    'SALUS_ORDER_TIME_ZONE',
    'Time zone of the day on which scheduled orders are sent to the laboratory.',
    'UTC',
    timeZone('SALUS_ORDER_TIME_ZONE', 'UTC'),
  ),
  importMaxBytes: setting(
    'SALUS_IMPORT_MAX_BYTES',
    'Maximum size of an export file that an import accepts, in bytes.',
    '21474836480',
    integer('SALUS_IMPORT_MAX_BYTES', 20 * 1024 ** 3, 1024, Number.MAX_SAFE_INTEGER),
  ),
  ...LAB_REPORT_SETTINGS,
  operatorApps: setting(
    'SALUS_PROVIDER_APPS',
    'Apps that you registered with providers: JSON such as {"oura": {"client_id": "…", "client_secret": "…"}}, or the path of a file with such JSON. Some providers give an app further "secrets", and those by password only have "settings", such as {"eight_sleep": {"settings": {"client_id": "…", "client_secret": "…"}}}; docs/providers.md lists both. Sandboxes need none.',
    '',
    parseOperatorApps,
  ),
  labPartners: setting<LabPartnerSettings>(
    'SALUS_LAB_PARTNERS',
    'Accounts with services around an order: JSON such as {"production": {"usps": {"client_id": "…", "client_secret": "…"}}}, or the path of a file with such JSON; docs/partners.md lists getlabs, usps, stedi and nppes. A service that is not named is off in production and emulated in sandboxes.',
    '',
    parseLabPartners,
  ),
  labPartnersAllowPrivate: setting(
    'SALUS_LAB_PARTNERS_ALLOW_PRIVATE',
    'Allows services around an order at private and local addresses, such as a proxy of your own.',
    'false',
    boolean('SALUS_LAB_PARTNERS_ALLOW_PRIVATE', false),
  ),
  linkNeedsTeamKey: setting(
    'SALUS_LINK_NEEDS_TEAM_KEY',
    'Accepts link tokens only together with a key of the team. The link page and apps on phones have no such key.',
    'false',
    boolean('SALUS_LINK_NEEDS_TEAM_KEY', false),
  ),
  bulkOperationsEnabled: setting(
    'SALUS_BULK_OPERATIONS',
    'Enables bulk import, export, pause and pull of connections; an export contains the tokens of users.',
    'true',
    boolean('SALUS_BULK_OPERATIONS', true),
  ),
  demoUserDays: setting(
    'SALUS_DEMO_USER_DAYS',
    'Number of days after which users with demo connections are deleted; 0 keeps them.',
    '0',
    integer('SALUS_DEMO_USER_DAYS', 0, 0, 3650),
  ),
} satisfies Record<string, Setting<unknown>>
