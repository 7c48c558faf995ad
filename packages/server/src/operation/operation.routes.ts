import { requireOperator } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { AuditList, AuditQuery, EnvironmentAuditQuery } from './audit-log.schema.ts'
import { listAuditLog, listEnvironmentAuditLog } from './audit-log.service.ts'
import { listJobKinds, listJobs, retryJobs } from './jobs.service.ts'
import * as schema from './operation.schema.ts'
import {
  getDeliveryStatus,
  getStatus,
  listProviderStatus,
  type StatusOptions,
} from './status.service.ts'

const tags = ['Operation']

/**
 * What whoever runs the installation looks at (docs/contract/01-conventions.md#operation). The
 * scope needs the hook of the management API.
 */
export function registerOperationRoutes(app: App, options: StatusOptions): void {
  const { db } = options
  app.register(async (operator: App) => {
    operator.addHook('onRequest', ({ managementKey }) => requireOperator(db, managementKey))
    registerStatus(operator, options)
    registerJobs(operator, options)
    operator.get(
      '/v1/operation/audit_log',
      {
        schema: {
          operationId: 'listAuditLog',
          tags,
          summary: 'Read the audit log, newest first',
          description:
            'Who did what, by which route, and what came of it; never the content. Needs an operator.',
          querystring: AuditQuery,
          response: { 200: AuditList },
        },
      },
      ({ query }) => listAuditLog(db, query, app.describeAction),
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
        summary: 'Versions, sizes of the stores, and how busy the process is',
        description:
          'Of the process that answers, and of the stores that all processes share. Needs an operator.',
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
        summary: 'How far the delivery of events is behind',
        description: 'Over the endpoints of all teams. Needs an operator.',
        response: { 200: schema.DeliveryStatus },
      },
    },
    () => getDeliveryStatus(options),
  )
  app.get(
    '/v1/operation/provider',
    {
      schema: {
        operationId: 'listProviderStatus',
        tags,
        summary: 'How asking the providers goes, and what is left of their budgets',
        description: 'Of all teams together. Needs an operator.',
        response: { 200: schema.ProviderStatusList },
      },
    },
    () => listProviderStatus(options),
  )
}

function registerJobs(app: App, { db }: StatusOptions): void {
  app.get(
    '/v1/operation/job_kind',
    {
      schema: {
        operationId: 'listJobKinds',
        tags,
        summary: 'Count the jobs of each kind by their states',
        description: 'Of the whole installation. Needs an operator.',
        response: { 200: schema.JobKindList },
      },
    },
    () => listJobKinds(db),
  )
  app.get(
    '/v1/operation/job',
    {
      schema: {
        operationId: 'listJobs',
        tags,
        summary: 'List jobs, newest first, and why they failed',
        description:
          'Never with what a job was given, which may be about a person. Needs an operator.',
        querystring: schema.JobQuery,
        response: { 200: schema.JobList },
      },
    },
    ({ query }) => listJobs(db, query),
  )
  app.post(
    '/v1/operation/job/retry',
    {
      schema: {
        operationId: 'retryJobs',
        tags,
        summary: 'Run failed jobs again now',
        description:
          'With all attempts before them: those named, or all of a kind that were given up.',
        body: schema.JobRetry,
        'x-body-example': { kind: 'recover_webhook' },
        response: { 200: schema.JobRetried },
      },
    },
    ({ body }) => retryJobs(db, body),
  )
}

/** Who did what in an environment. Among the routes of managed environments. */
export function registerEnvironmentAuditRoutes(app: App): void {
  app.get(
    `${ENVIRONMENT_PATH}/audit_log`,
    {
      schema: {
        operationId: 'listEnvironmentAuditLog',
        tags,
        summary: 'Read the audit log of an environment, newest first',
        description: 'Who did what, and with `user_id` and `reads` who read of whom.',
        params: Type.Object(ENVIRONMENT_PARAMS),
        querystring: EnvironmentAuditQuery,
        response: { 200: AuditList },
      },
    },
    ({ scope, query }) => listEnvironmentAuditLog(scope, query, app.describeAction),
  )
}
