import { requireOperator } from '@salus/accounts/teams'
import { PROVIDER_SLUGS } from '@salus/contracts/providers'
import { TextEnum } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { AuditList, AuditQuery, EnvironmentAuditQuery } from './audit-log.schema.ts'
import { listAuditLog, listEnvironmentAuditLog } from './audit-log.service.ts'
import { listJobKinds, listJobs, retryJobs } from './jobs.service.ts'
import * as schema from './operation.schema.ts'
import { ProviderSetupDetails, ProviderSetupList } from './provider-setup.schema.ts'
import {
  checkProviderSetup,
  listProviderSetups,
  type ProviderSetupOptions,
} from './provider-setup.service.ts'
import { ProviderStatusList } from './provider-status.schema.ts'
import {
  getDeliveryStatus,
  getStatus,
  listProviderStatus,
  type StatusOptions,
} from './status.service.ts'

const tags = ['Operation']

/**
 * Registers the operations for the operator of the installation
 * (docs/contract/01-conventions.md#operation). The scope needs the hook of the management API.
 */
export function registerOperationRoutes(
  app: App,
  options: StatusOptions & ProviderSetupOptions,
): void {
  const { db, clickhouse } = options
  app.register(async (operator: App) => {
    operator.addHook('onRequest', ({ managementKey }) => requireOperator(db, managementKey))
    registerStatus(operator, options)
    registerProviderSetup(operator, options)
    registerJobs(operator, options)
    operator.get(
      '/v1/operation/audit_log',
      {
        schema: {
          operationId: 'listAuditLog',
          tags,
          summary: 'List the audit log',
          description:
            'Returns the audit log, the newest rows first: the actor, the route and the outcome of each request, but never its content. The key must belong to an operator.',
          querystring: AuditQuery,
          response: { 200: AuditList },
        },
      },
      ({ query, readDb }) => listAuditLog({ db: readDb, clickhouse }, query, app.describeAction),
    )
  })
}

function registerStatus(app: App, options: StatusOptions): void {
  app.get(
    '/v1/operation/status',
    {
      schema: {
        operationId: 'getOperationStatus',
        tags,
        summary: 'Get the status of the installation',
        description:
          'Returns the versions, the sizes of the stores that all processes share, and the load of the process that answers. The key must belong to an operator.',
        response: { 200: schema.OperationStatus },
      },
    },
    () => getStatus(options),
  )
  app.get(
    '/v1/operation/delivery',
    {
      schema: {
        operationId: 'getDeliveryStatus',
        tags,
        summary: 'Get the status of the delivery of events',
        description:
          'Returns the backlog and the recent attempts of the endpoints of all teams. The key must belong to an operator.',
        response: { 200: schema.DeliveryStatus },
      },
    },
    ({ readDb }) => getDeliveryStatus({ ...options, db: readDb }),
  )
  app.get(
    '/v1/operation/provider',
    {
      schema: {
        operationId: 'listProviderStatus',
        tags,
        summary: 'List the status of the providers',
        description:
          'Returns the state of the requests to each provider, over all teams, and the rest of their rate limits. The key must belong to an operator.',
        response: { 200: ProviderStatusList },
      },
    },
    ({ readDb }) => listProviderStatus({ ...options, db: readDb }),
  )
}

function registerProviderSetup(app: App, options: ProviderSetupOptions): void {
  app.get(
    '/v1/operation/provider/setup',
    {
      schema: {
        operationId: 'listProviderSetups',
        tags,
        summary: 'List the setup of the providers',
        description:
          'Returns every provider: how far its connector was verified, or why there is none, and whether an app is configured. The key must belong to an operator.',
        response: { 200: ProviderSetupList },
      },
    },
    () => listProviderSetups(options),
  )
  app.get(
    '/v1/operation/provider/setup/:provider',
    {
      schema: {
        operationId: 'checkProviderSetup',
        tags,
        summary: 'Check the setup of a provider',
        description:
          'Returns what an app of the provider needs, such as its redirect address, and checks it: also whether the public address of the deployment is reachable. The key must belong to an operator.',
        params: Type.Object({ provider: TextEnum(PROVIDER_SLUGS) }),
        response: { 200: ProviderSetupDetails },
      },
    },
    (request) => {
      const baseUrl = baseUrlOf(request, options.config.baseUrl)
      return checkProviderSetup(options, request.params.provider, baseUrl)
    },
  )
}

function registerJobs(app: App, { db }: StatusOptions): void {
  app.get(
    '/v1/operation/job_kind',
    {
      schema: {
        operationId: 'listJobKinds',
        tags,
        summary: 'Count the jobs by kind and state',
        description:
          'Returns the numbers of jobs of the whole installation. The key must belong to an operator.',
        response: { 200: schema.JobKindList },
      },
    },
    ({ readDb }) => listJobKinds(readDb),
  )
  app.get(
    '/v1/operation/job',
    {
      schema: {
        operationId: 'listJobs',
        tags,
        summary: 'List jobs',
        description:
          'Returns jobs, the newest first, with the reason of their failure. The input of a job, which may contain personal data, is not returned. The key must belong to an operator.',
        querystring: schema.JobQuery,
        response: { 200: schema.JobList },
      },
    },
    ({ query, readDb }) => listJobs(readDb, query),
  )
  app.post(
    '/v1/operation/job/retry',
    {
      schema: {
        operationId: 'retryJobs',
        tags,
        summary: 'Retry failed jobs',
        description:
          'Schedules jobs to run now with a full number of attempts: those that the body names, or all of a kind that were given up.',
        body: schema.JobRetry,
        'x-body-example': { kind: 'recover_webhook' },
        response: { 200: schema.JobRetried },
      },
    },
    ({ body }) => retryJobs(db, body),
  )
}

/** Registers the audit log of an environment, among the routes of managed environments. */
export function registerEnvironmentAuditRoutes(app: App): void {
  app.get(
    `${ENVIRONMENT_PATH}/audit_log`,
    {
      schema: {
        operationId: 'listEnvironmentAuditLog',
        tags,
        summary: 'List the audit log of an environment',
        description:
          'Returns the audit log of the environment, the newest rows first. With `user_id` and `reads` it shows who read the data of a user.',
        params: Type.Object(ENVIRONMENT_PARAMS),
        querystring: EnvironmentAuditQuery,
        response: { 200: AuditList },
      },
    },
    ({ scope, query }) => listEnvironmentAuditLog(scope, query, app.describeAction),
  )
}
