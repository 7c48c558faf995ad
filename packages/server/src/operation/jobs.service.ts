import { invalidInput } from '@salus/kernel/errors'
import { integerKey, KeysetPages } from '@salus/kernel/http/keyset-pages'
import { isUuid } from '@salus/kernel/ids'
import { readFailure } from '@salus/kernel/jobs/job-outcome'
import {
  type JobRow,
  listForgottenJobs,
  listJobs as listJobRows,
  measureJobs,
  retryJobs as retryJobRows,
} from '@salus/kernel/jobs/job-queue.global.repository'
import type { Db } from '@salus/kernel/postgres/database'
import { formatInstant } from '@salus/kernel/time/instants'
import { type EnvironmentTeam, listEnvironmentTeams } from './operation.global.repository.ts'
import type { JobKindList, JobList, JobQuery, JobRetry } from './operation.schema.ts'

type JobKind = JobKindList['data'][number]

/** Returns every kind of job that has any, with the number of jobs in each state. */
export async function listJobKinds(db: Db): Promise<JobKindList> {
  const kinds = new Map<string, JobKind>()
  for (const { kind, state, jobs, oldest } of await measureJobs(db)) {
    const entry = kinds.get(kind) ?? { ...NONE, kind }
    entry[state] = jobs
    if (state === 'waiting') entry.oldest_waiting_at = formatInstant(oldest)
    kinds.set(kind, entry)
  }
  for (const { kind, jobs } of await listForgottenJobs(db)) {
    kinds.set(kind, { ...(kinds.get(kind) ?? { ...NONE, kind }), forgotten: jobs })
  }
  return { data: [...kinds.values()] }
}

const NONE = {
  waiting: 0,
  scheduled: 0,
  running: 0,
  failing: 0,
  given_up: 0,
  forgotten: 0,
  oldest_waiting_at: null,
}

const PAGES = new KeysetPages({ id: integerKey() })

/** Returns a page of jobs, the newest first. @throws AppError 400 `invalid_cursor` */
export async function listJobs(
  db: Db,
  { state, kind, limit, next_cursor: cursor }: JobQuery,
): Promise<JobList> {
  const list = ['jobs', state, kind]
  const before = PAGES.read(list, cursor)?.id ?? null
  const found = await listJobRows(db, { state, kind, before }, limit + 1)
  const { page: rows, nextCursor } = PAGES.cut(list, found, limit, (row) => row)
  const environmentIds = rows.flatMap(({ environment_id: id }) => (id && isUuid(id) ? id : []))
  const teams = await listEnvironmentTeams(db, environmentIds)
  return {
    data: rows.map((row) => toJob(row, teams)),
    next_cursor: nextCursor,
  }
}

function toJob(
  { environment_id: environmentId, last_error: error, ...row }: JobRow,
  teams: ReadonlyMap<string, EnvironmentTeam>,
): JobList['data'][number] {
  return {
    ...row,
    team: toTeam(teams.get(environmentId ?? '')),
    created_at: formatInstant(row.created_at),
    run_at: formatInstant(row.run_at),
    updated_at: formatInstant(row.updated_at),
    failure: readFailure(error),
  }
}

/** Returns the team of a row as rows show it. */
export function toTeam(row: EnvironmentTeam | undefined): JobList['data'][number]['team'] {
  if (row === undefined) return null
  const { team_id: id, team_name: name, environment: env, organization_id } = row
  return { id, name, env, organization_id }
}

/** Retries failed jobs now. @throws InputError unless either ids or a kind are given */
export async function retryJobs(db: Db, { ids, kind }: JobRetry): Promise<{ retried: number }> {
  if (ids !== undefined && kind === undefined) return { retried: await retryJobRows(db, { ids }) }
  if (kind !== undefined && ids === undefined) return { retried: await retryJobRows(db, { kind }) }
  throw invalidInput(['body'], 'Give either ids or a kind', 'exactly_one')
}
