import type { JobAttempt, JobHandler } from '@salus/kernel/jobs/jobs'
import type { Db } from '@salus/kernel/postgres/database'
import { createScope, type Environment, type Scope, type Stores } from '@salus/kernel/scope'
import { type EnvironmentRow, findEnvironmentById } from '../keys/team-keys.repository.ts'
import type { TeamEnvironment } from '../organization/environment-settings.schema.ts'
import { toSettings } from '../organization/teams.service.ts'

declare module '@salus/kernel/scope' {
  interface EnvironmentSettings extends TeamEnvironment {}
}

/** Returns the environment with an id; undefined when its team was deleted. */
export async function findEnvironment(
  db: Db,
  environmentId: string,
): Promise<Environment | undefined> {
  const row = await findEnvironmentById(db, environmentId)
  return row && toEnvironment(row)
}

/**
 * Returns the scope of an environment outside of a request; undefined when its team was deleted.
 */
export async function enterEnvironment(
  stores: Stores,
  environmentId: string,
): Promise<Scope | undefined> {
  const environment = await findEnvironment(stores.db, environmentId)
  return environment && createScope(stores, environment)
}

/**
 * Creates the handler of a job of one environment, in its scope; without the environment there is
 * nothing to do.
 */
export function inEnvironment<Job extends { environmentId: string }>(
  stores: Stores,
  handle: (scope: Scope, job: Job, attempt: JobAttempt) => Promise<void>,
): JobHandler<Job> {
  return async (job, _signal, attempt) => {
    const scope = await enterEnvironment(stores, job.environmentId)
    if (scope !== undefined) await handle(scope, job, attempt)
  }
}

/**
 * Returns the environment of requests and jobs; settings that were never set have their defaults.
 */
export function toEnvironment(row: EnvironmentRow): Environment {
  return {
    organizationId: row.organization_id,
    teamId: row.team_id,
    id: row.environment_id,
    kind: row.environment,
    region: row.region,
    settings: toSettings(row.settings),
    clockOffsetSeconds: row.clock_offset_seconds,
  }
}
