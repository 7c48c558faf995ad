import { PERSON_TABLES } from '../../../rights/src/person-data/index.ts'
import type { Answer, Harness } from '../harness.ts'
import type { ResultsFixture } from '../results/results-fixture.ts'

export const TWO_YEARS = 730

type Fixture = Pick<
  ResultsFixture,
  'database' | 'dependencies' | 'teamId' | 'manage' | 'events' | 'fileNames'
>

/** Retention of what laboratories say, in the sandbox of a harness's team. */
export interface LabRetention {
  /** What a rule would remove now. */
  dryRun(resource: string, days?: number): Promise<Answer['body']>
  /** Sets one rule, and applies it; returns the report of the run. */
  apply(resource: string, days?: number): Promise<Answer['body']>
  run: NonNullable<Harness['dependencies']['jobs']['handlers'][string]>
  hold(userId: string): Promise<string>
  release(holdId: string): Promise<void>
  /** Tables with a row in which the id stands anywhere, messages to the team too. */
  tablesNaming(id: string): Promise<string[]>
  /** Works on the jobs that remove files, as the queue does. */
  removeFiles(): Promise<void>
  /** Objects that the audit log says a rule removed, with whose they were. */
  audited(): Promise<{ object_id: string; user_id: string | null }[]>
}

export function createLabRetention(fixture: Fixture): LabRetention {
  const { database, dependencies } = fixture
  const { pool } = database
  const manage = async (method: string, path: string, body?: object): Promise<Answer['body']> => {
    const answer = await fixture.manage(method, `/team/${fixture.teamId}/sandbox${path}`, body)
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body
  }
  const ruleOf = (resource: string, days = TWO_YEARS) => ({ rules: [{ resource, days }] })
  const { apply_retention: run } = dependencies.jobs.handlers
  if (run === undefined) throw new Error('Nothing applies retention.')
  const tables = PERSON_TABLES.filter(
    ({ name, store }) => store === 'postgresql' && !name.startsWith('audit_') && name !== 'events',
  )
  return {
    run,
    dryRun: async (resource, days) =>
      (await manage('POST', '/retention/dry_run', ruleOf(resource, days))).effects[0],
    async apply(resource, days) {
      await manage('PUT', '/retention', ruleOf(resource, days))
      await run({}, new AbortController().signal, { isLast: false })
      return (await manage('GET', '/retention')).rules[0]
    },
    hold: async (userId) =>
      (await manage('POST', '/legal_hold', { user_id: userId, reason: 'A dispute' })).id,
    release: (id) => manage('POST', `/legal_hold/${id}/release`),
    async tablesNaming(id) {
      const found: string[] = []
      for (const { name } of tables) {
        const { rows } = await pool.query(
          `select from ${name} where ${name}::text like $1 limit 1`,
          [`%${id}%`],
        )
        if (rows.length > 0) found.push(name)
      }
      const sent = await fixture.events(/./)
      return sent.some((event) => JSON.stringify(event).includes(id)) ? [...found, 'events'] : found
    },
    async removeFiles() {
      const { rows } = await pool.query(`select job.id, task.identifier, job.payload
        from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
        where task.identifier in ('remove_result_files', 'remove_lab_report_files')`)
      for (const { id, identifier, payload } of rows) {
        const handler = dependencies.jobs.handlers[identifier]
        await handler?.(payload, new AbortController().signal, { isLast: false })
        await pool.query('select graphile_worker.complete_jobs(array[$1::bigint])', [id])
      }
    },
    async audited() {
      await dependencies.audit.flush()
      const { rows } = await pool.query(`select object_id, user_id from audit_rows
        where route = 'apply_retention' and object_id is not null`)
      return rows
    },
  }
}
