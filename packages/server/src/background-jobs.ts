import { taskJobs } from '@salus/accounts/tasks'
import { createUser, type UserParts } from '@salus/accounts/users'
import type { SchedulingGateways } from '@salus/contracts/lab-gateway'
import { bulkExportJobs } from '@salus/fhir/bulk'
import { smartClientJobs } from '@salus/fhir/clients'
import { BROKEN_CONNECTIONS, connectionJobs } from '@salus/health/connections'
import type { Connectors } from '@salus/health/connectors'
import { importJobs } from '@salus/health/imports'
import type { Ingest } from '@salus/health/ingest'
import { auditJobs } from '@salus/kernel/audit/audit-jobs'
import type { AuditLog } from '@salus/kernel/audit/audit-log'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { EventRemoval } from '@salus/kernel/events/events'
import type { FileStore } from '@salus/kernel/files/file-store'
import { givenUpJobs } from '@salus/kernel/jobs/given-up-jobs'
import { type JobDefinitions, joinDefinitions } from '@salus/kernel/jobs/jobs'
import type { Logger } from '@salus/kernel/log'
import type { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import { createScope, type Environment, type Stores } from '@salus/kernel/scope'
import type { StatementObserver } from '@salus/kernel/telemetry/statement-observer'
import { CONNECTION_REASONS, type ConnectionParts, labConnectionJobs } from '@salus/lab/connections'
import type { LabGateways } from '@salus/lab/gateways'
import { labInboxJobs } from '@salus/lab/inbox'
import { diagnosisJobs } from '@salus/lab/insurance'
import { orderJobs, STUCK_REASONS } from '@salus/lab/orders'
import { type LabReportReading, labReportJobs, REPORT_REASONS } from '@salus/lab/reports'
import { RESULT_TASK_EVENTS, REVIEW_REASONS, resultJobs } from '@salus/lab/results'
import { sandboxJobs } from '@salus/lab/sandbox'
import { shardJobs } from '@salus/ops/shards'
import { erasureJobs } from '@salus/rights/erasure'
import { exportJobs } from '@salus/rights/exports'
import { portalJobs } from '@salus/rights/portal'
import { retentionJobs } from '@salus/rights/retention'
import type pg from 'pg'
import type { Config } from './config.ts'

/** Input of the composition root: settings, open stores, the time and the log. */
export interface ServicesOptions extends Stores {
  config: Config
  pool: pg.Pool
  replicas?: Replicas | undefined
  files: FileStore
  /** Seals secrets that must be readable again. */
  secrets: SecretBox
  log: Logger
  /** Milliseconds that uploads wait for others to share an insert with. */
  batchWaitMs?: number
  /** Observes the statements of the stores. */
  statements?: StatementObserver
  /** Replaces the connectors of the registry, for tests. */
  connectors?: Connectors
  /** Replaces the parser with its own processes, for tests. */
  labReportParser?: LabReportReading['labReportParser']
}

interface PeopleContext extends ServicesOptions {
  userParts: UserParts
  eventRemoval: EventRemoval
  audit: AuditLog
}

export const TASK_REASONS = [
  REVIEW_REASONS,
  REPORT_REASONS,
  STUCK_REASONS,
  CONNECTION_REASONS,
  BROKEN_CONNECTIONS,
]

/** Background work on users and tasks, their rights and the audit log. */
export function peopleJobs(context: PeopleContext): JobDefinitions {
  const removals = [erasureJobs(context), retentionJobs(context), givenUpJobs(context)]
  const jobs = [
    connectionJobs(context),
    taskJobs(context, TASK_REASONS, RESULT_TASK_EVENTS),
    ...removals,
    auditJobs(context, context.config),
    smartClientJobs(context),
    shardJobs(context),
    portalJobs(context),
  ]
  return joinDefinitions(jobs)
}

/** Work on whole files of users. */
export function fileJobs(context: ServicesOptions & { ingest: Ingest }): JobDefinitions {
  const { importMaxBytes: maxBytes } = context.config
  return joinDefinitions([
    importJobs({ ...context, maxBytes }),
    exportJobs(context),
    bulkExportJobs(context),
  ])
}

type LabContext = ServicesOptions &
  LabReportReading & {
    gateways: LabGateways
    labConnections: ConnectionParts
    scheduling: SchedulingGateways
  }

/** Background work on orders, messages of laboratories, and sandboxes. */
export function labJobs(context: LabContext): JobDefinitions {
  const { config, gateways } = context
  const { orderTimeZone: timeZone, sandboxAutoProgress: autoProgress } = config
  return joinDefinitions([
    diagnosisJobs(context),
    orderJobs(context, { findGateway: gateways.find, couriers: gateways.couriers, timeZone }),
    labInboxJobs(context, context),
    labConnectionJobs(context, context.labConnections),
    labReportJobs(context, context),
    resultJobs(context, {
      files: context.files,
      simulator: gateways.simulator,
      makeTestUser: (...test) => makeTestUser(context, ...test),
    }),
    // Other processes notice the advanced time when their cached credentials expire.
    sandboxJobs(context, { ...context, autoProgress, forgetCredentials: () => {} }),
  ])
}

/**
 * Creates a user of a sandbox for orders of a test of the review queue; the limit of users does not
 * apply.
 */
async function makeTestUser(
  context: Stores,
  environment: Environment,
  clientUserId: string,
): Promise<string> {
  const scope = createScope(context, environment)
  const input = { client_user_id: clientUserId }
  return (await createUser(scope, input, { sandboxUserLimit: 0 })).user_id
}
