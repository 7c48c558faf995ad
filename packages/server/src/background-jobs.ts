import { createUser } from '@salus/accounts/users'
import { connectionJobs } from '@salus/health/connections'
import { importJobs } from '@salus/health/imports'
import { auditJobs } from '@salus/kernel/audit/audit-heads'
import { givenUpJobs } from '@salus/kernel/jobs/given-up-jobs'
import { type JobDefinitions, joinDefinitions } from '@salus/kernel/jobs/jobs'
import { createScope, type Environment, type Stores } from '@salus/kernel/scope'
import { labInboxJobs } from '@salus/lab/inbox'
import { diagnosisJobs } from '@salus/lab/insurance'
import { orderJobs } from '@salus/lab/orders'
import { type LabReportReading, labReportJobs } from '@salus/lab/reports'
import { resultJobs } from '@salus/lab/results'
import { sandboxJobs } from '@salus/lab/sandbox'
import { erasureJobs } from '@salus/rights/erasure'
import { exportJobs } from '@salus/rights/exports'
import { retentionJobs } from '@salus/rights/retention'
import type { Parts, Services, ServicesOptions } from './services.ts'

type PeopleContext = ServicesOptions & Parts & Pick<Services, 'audit'>

/** Background work on users, their rights and the audit log. */
export function peopleJobs(context: PeopleContext): JobDefinitions {
  const removals = [erasureJobs(context), retentionJobs(context), givenUpJobs(context)]
  return joinDefinitions([connectionJobs(context), ...removals, auditJobs(context)])
}

/** Work on whole files of users. */
export function fileJobs(context: ServicesOptions & Pick<Services, 'ingest'>): JobDefinitions {
  const { importMaxBytes: maxXmlBytes } = context.config
  return joinDefinitions([importJobs({ ...context, maxXmlBytes }), exportJobs(context)])
}

type LabContext = ServicesOptions & Pick<Services, 'gateways' | 'scheduling'> & LabReportReading

/** Background work on orders, messages of laboratories, and sandboxes. */
export function labJobs(context: LabContext): JobDefinitions {
  const { config, gateways } = context
  const { orderTimeZone: timeZone, sandboxAutoProgress: autoProgress } = config
  return joinDefinitions([
    diagnosisJobs(context),
    orderJobs(context, { findGateway: gateways.find, timeZone }),
    labInboxJobs(context, context),
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
