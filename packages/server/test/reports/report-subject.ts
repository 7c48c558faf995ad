import { findEnvironment } from '@salus/accounts/teams'
import { createScope } from '@salus/kernel/scope'
import { parseJob } from '../../../lab/src/reports/parsing/parse-job.service.ts'
import { stageJob } from '../../../lab/src/reports/parsing/stage-job.service.ts'
import type { Harness } from '../harness.ts'
import { type Part, pdf, upload } from './report-client.ts'

/** Parsing jobs that a route can name. */
export interface ReportSubject {
  /** Completed. */
  reportJobId: string
  /** Of the managed team; it waits for a reviewer. */
  reviewJobId: string
  /** The user of the managed team whose report it is. */
  managedUserId: string
}

export function reportPartOf(subject: ReportSubject): ReportSubject {
  const { reportJobId, reviewJobId, managedUserId } = subject
  return { reportJobId, reviewJobId, managedUserId }
}

export async function makeReportSubject(
  harness: Harness,
  userId: string,
  managedKey: string,
): Promise<ReportSubject> {
  const theirs = { 'x-service-api-key': managedKey }
  const patient = { client_user_id: `reported ${userId}` }
  const user = await harness.call('POST', '/v2/user', patient, theirs)
  const review: Part[] = [['needs_human_review', 'true']]
  return {
    reportJobId: await makeJob(harness, userId),
    managedUserId: user.body.user_id,
    reviewJobId: await makeJob(harness, user.body.user_id, review, theirs),
  }
}

/** Uploads a report and has it read, without a worker. */
async function makeJob(
  harness: Harness,
  userId: string,
  parts: readonly Part[] = [],
  headers: object = {},
): Promise<string> {
  const { dependencies, database } = harness
  const sent = await upload(harness, userId, pdf(), parts, headers)
  if (sent.status !== 200) throw new Error(sent.text)
  const { id: jobId } = sent.body
  const { rows } = await database.pool.query(
    'select environment_id from lab_report_jobs where id = $1',
    [jobId],
  )
  const [{ environment_id: environmentId }] = rows
  const environment = await findEnvironment(database.db, environmentId)
  if (environment === undefined) throw new Error('The environment of a test is gone.')
  await stageJob(createScope(dependencies, environment), dependencies, jobId, { isLast: false })
  const { signal } = new AbortController()
  await parseJob(dependencies, dependencies, { environmentId, jobId }, signal)
  return jobId
}
