import { findEnvironment } from '@salus/accounts/teams'
import { createNewestData } from '@salus/accounts/users'
import type { SchedulingGateways } from '@salus/contracts/lab-gateway'
import type { LabPartners } from '@salus/contracts/lab-partners'
import { connectionsOfUsers, type ScopeTable } from '@salus/health/connections'
import {
  type Connectors,
  createConnectors,
  type OperatorApps,
  sandboxAppOf,
} from '@salus/health/connectors'
import { continuousQueryJobs, createInvalidator } from '@salus/health/continuous-queries'
import { dayCacheJobs } from '@salus/health/day-cache'
import { createIngest, type Ingest, ingestJobs } from '@salus/health/ingest'
import { linkJobs, type ReadLife } from '@salus/health/link'
import { AppTokens, mobileJobs } from '@salus/health/mobile'
import { type Puller, pullingJobs, startPuller } from '@salus/health/pulling'
import { createRuleListener, ruleJobs } from '@salus/health/rules'
import { SUMMARY_KIND } from '@salus/health/summaries'
import { AuditLog } from '@salus/kernel/audit/audit-log'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { joinListeners } from '@salus/kernel/data-changes'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import type { ReadinessCheck } from '@salus/kernel/http/health'
import { checkHandlers, type JobDefinitions, joinDefinitions } from '@salus/kernel/jobs/jobs'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { checkDatabase } from '@salus/kernel/postgres/database'
import { createEmulatorState } from '@salus/kernel/postgres/emulator-state'
import { bookingJobs, listPhlebotomyProviders } from '@salus/lab/booking'
import type { ConnectionParts } from '@salus/lab/connections'
import { createLabGateways, type LabGateways } from '@salus/lab/gateways'
import { openInbox } from '@salus/lab/inbox'
import { ordersOfUsers } from '@salus/lab/orders'
import {
  type LabReportReading,
  labReportParsingJobs,
  openLabReportReading,
} from '@salus/lab/reports'
import { createSlotStore } from '@salus/lab/sandbox'
import type { ListPhlebotomyProviders } from '@salus/lab/service-centers'
import { fileRemovalJobs, keepFilesDuringBackups } from '@salus/ops/backup'
import { createLabSimulator } from '@salus/sandbox/lab'
import { ProviderEmulator, RECEIVER_PATH, readLife } from '@salus/sandbox/providers'
import { createSchedulingSimulator } from '@salus/sandbox/scheduling'
import type { Registry } from 'prom-client'
import { fileJobs, labJobs, peopleJobs, type ServicesOptions } from './background-jobs.ts'
import { openLabPartners } from './lab-partners.ts'
import { openLabConnections } from './open-lab-connections.ts'
import { openMetrics } from './open-metrics.ts'
import {
  createEventRemoval,
  type Dispatcher,
  startWebhooks,
  webhookJobs,
} from './webhooks/index.ts'

type PullerSettings = Partial<
  Pick<Parameters<typeof startPuller>[0], 'connectors' | 'pollMs' | 'random' | 'registry' | 'slots'>
>

/** Parts of Salus that the roles of a process, its tests and its scripts use. */
export interface Services
  extends ServicesOptions,
    LabReportReading,
    Readonly<ReturnType<typeof partsOf>> {
  labReportParser: LabReportReading['labReportParser']
  /** The only entry for health data. */
  ingest: Ingest
  /** Data of demo connections. */
  readLife: ReadLife
  connectors: Connectors
  operatorApps: OperatorApps
  /** Scopes that resources of a provider need; undefined for a provider without scopes. */
  scopesOf: (slug: string) => ScopeTable | undefined
  /** Signs in apps on phones. */
  tokens: AppTokens
  gateways: LabGateways
  /** Stored connections to laboratories. */
  labConnections: ConnectionParts
  /** Gateways to phlebotomists and the calendars of sites. */
  scheduling: SchedulingGateways
  /** Services around an order: eligibility, couriers, the registry of NPIs. */
  partners: LabPartners
  /** Returns the providers of phlebotomists that serve a patient. */
  listPhlebotomyProviders: ListPhlebotomyProviders
  /**
   * The emulated providers of sandboxes, unless they are disabled. Each process listens for its own
   * connectors.
   */
  emulator: ProviderEmulator | undefined
  audit: AuditLog
  /** Metrics of the process. */
  registry: Registry
  readinessChecks: ReadinessCheck[]
  /** All background work, except imports and the parsing of reports. */
  jobs: JobDefinitions
  /**
   * A file may take an hour: imports and exports wait for each other, and no other job waits for
   * them.
   */
  importJobs: JobDefinitions
  /** As many at once as the parser has processes. */
  labReportJobs: JobDefinitions
  /** Starts webhooks once in a process; tests that start several give each its own registry. */
  startWebhooks(options?: { timeoutMs?: number; pollMs?: number; registry?: Registry }): Dispatcher
  /** Starts the requests to providers of users, once in a process, like webhooks. */
  startPuller(options?: PullerSettings): Puller
  /**
   * Publishes pending publications that a crash left between the stores. Failures are retried by
   * jobs and must not stop a start.
   */
  recoverPublications(): Promise<void>
  /** Waits for pending writes. */
  idle(): Promise<void>
}

const userParts = { orders: ordersOfUsers, connections: connectionsOfUsers }
/** Parts that higher domains provide to lower ones, which may not import them. */
const partsOf = ({ clickhouse }: Pick<ServicesOptions, 'clickhouse'>) => ({
  userParts,
  eventRemoval: createEventRemoval(clickhouse),
})

/**
 * The composition root: combines stores and settings into the parts that the roles of a process
 * need.
 */
export function createServices(given: ServicesOptions): Services {
  const files = keepFilesDuringBackups(given.files, given)
  const options = { ...given, files, readinessChecks: readinessChecksOf(given) }
  const { config, db, clock, log } = options
  const ingest = openIngest(options)
  const audit = new AuditLog({ db, clock, log, secrets: options.secrets })
  const registry = openMetrics(options)
  const lab = openLabParts(options)
  const emulator = openEmulator(options)
  const vendors = openConnectors(options, emulator)
  const tokens = new AppTokens(options)
  const parts = { emulator, ingest, tokens, ...lab, audit, readLife, ...partsOf(given) }
  const context = { ...options, ...vendors, ...parts, ...openLabReportReading(options, registry) }
  openInbox(options, lab.gateways)
  const services: Services = {
    ...context,
    registry,
    listPhlebotomyProviders: (scope, zip) => listPhlebotomyProviders(scope, context, zip),
    jobs: joinDefinitions([
      peopleJobs(context),
      ingestJobs(context),
      dayCacheJobs(context),
      pullingJobs(context),
      mobileJobs(context),
      linkJobs(context),
      ...[continuousQueryJobs, ruleJobs].map((jobs) => jobs({ ...context, ...config })),
      labJobs(context),
      bookingJobs(context, context),
      webhookJobs(context, config.eventRetentionDays),
      emulatorJobs(context),
      fileRemovalJobs(context, given.files),
    ]),
    importJobs: fileJobs(context),
    labReportJobs: labReportParsingJobs(context, context),
    startWebhooks: (options = {}) =>
      startWebhooks({
        ...context,
        registry,
        ...options,
        findEnvironment: (environmentId) => findEnvironment(db, environmentId),
        receiverUrl: () => emulator && `${emulator.url}${RECEIVER_PATH}`,
      }),
    startPuller: (options = {}) => startPuller({ ...context, registry, ...options }),
    recoverPublications: () =>
      ingest
        .recover({ olderThanMs: 0, retryMs: 0 })
        .catch((err) => log.error({ err }, 'pending publications could not be recovered yet')),
    async idle() {
      await ingest.idle()
      await audit.flush()
    },
  }
  checkHandlers([services.jobs, services.importJobs, services.labReportJobs])
  return services
}

function readinessChecksOf(options: ServicesOptions): ReadinessCheck[] {
  const { pool, replicas, clickhouse, files } = options
  return [
    { name: 'postgres', check: () => checkDatabase(pool) },
    ...(replicas ? [{ name: 'postgres_replicas', check: () => replicas.check() }] : []),
    { name: 'clickhouse', check: () => checkClickHouse(clickhouse) },
    { name: 'files', check: () => files.check() },
  ]
}

async function checkClickHouse(clickhouse: ClickHouse): Promise<'ok' | 'degraded'> {
  await clickhouse.ping()
  const isWhole = clickhouse.cluster?.members.every(({ isUp }) => isUp) ?? true
  return isWhole ? 'ok' : 'degraded'
}

function openIngest(options: ServicesOptions): Ingest {
  return createIngest({
    ...options,
    summaries: SUMMARY_KIND,
    // The data directory is locked, so an embedded engine has one process.
    isAlone: options.config.clickhouseUrl === undefined,
    listener: joinListeners([
      createInvalidator(options),
      createNewestData(options),
      createRuleListener(options),
    ]),
  })
}

/** Opens what stands around orders: laboratories, providers of appointments, other services. */
function openLabParts(
  options: ServicesOptions,
): Pick<Services, 'gateways' | 'labConnections' | 'scheduling' | 'partners'> {
  const partners = openLabPartners(options)
  const labConnections = openLabConnections(options)
  return {
    gateways: createLabGateways(createLabSimulator(), labConnections.registry, partners),
    labConnections,
    scheduling: openScheduling(options, partners),
    partners,
  }
}

/** Opens the providers of appointments: configured ones, and otherwise simulators of sandboxes. */
function openScheduling(
  { config, db }: ServicesOptions,
  partners: LabPartners,
): SchedulingGateways {
  const { sandboxPhlebotomyZips: phlebotomyZips } = config
  const simulators = createSchedulingSimulator({
    store: createSlotStore(db),
    findArea: findZipCode,
    phlebotomyZips,
  })
  return {
    find: (environment, provider) =>
      partners[environment].scheduling.find((gateway) => gateway.provider === provider) ??
      simulators.find(environment, provider),
  }
}

function openEmulator(options: ServicesOptions): ProviderEmulator | undefined {
  const { config, db, clock, log, secrets } = options
  if (!config.providerEmulator) return undefined
  const onError = (error: Error) => log.error({ err: error }, 'an emulated vendor failed')
  const clientSecret = () => sandboxAppOf(secrets).clientSecret
  return new ProviderEmulator({ clock, store: createEmulatorState(db), clientSecret, onError })
}

/**
 * Background work of emulated providers: they send notifications of new data, and remove expired
 * state.
 */
function emulatorJobs({
  db,
  clock,
  emulator,
}: ServicesOptions & Pick<Services, 'emulator'>): JobDefinitions {
  if (emulator === undefined) return { handlers: {}, schedule: '' }
  return {
    handlers: {
      push_emulated_changes: () => emulator.pushChanges(),
      sweep_emulator_state: () => createEmulatorState(db).sweep(clock.now()),
    },
    schedule: '*/5 * * * * push_emulated_changes\n37 * * * * sweep_emulator_state',
  }
}

/** Connections to one provider: enough for a thousand polls a second whose answers take 0.2 s. */
const connectionsPerOrigin = 384

/** A name that does not resolve (RFC 6761): disabled providers of sandboxes do not answer. */
const NOWHERE = 'http://emulator.invalid'

type VendorServices = Pick<Services, 'connectors' | 'operatorApps' | 'scopesOf'>

function openConnectors(
  { config, connectors: given }: ServicesOptions,
  emulator: ProviderEmulator | undefined,
): VendorServices {
  const { operatorApps } = config
  const connectors =
    given ??
    createConnectors({
      agent: createOutboundAgent({ allowPrivate: false, connectionsPerOrigin }),
      sandboxAgent: createOutboundAgent({ allowPrivate: true, connectionsPerOrigin }),
      sandboxUrl: () => emulator?.url ?? NOWHERE,
    })
  return { connectors, operatorApps, scopesOf: (slug) => connectors.find(slug)?.scopes }
}
