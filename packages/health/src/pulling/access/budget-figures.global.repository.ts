import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

export interface BudgetRow {
  bucket: string
  tokens: number
  filled_at: Date
  blocked_until: Date | null
}

/** Returns budgets that were used in the last hours; a full one is not stored. */
export async function listBudgetRows(db: Db, limit: number): Promise<BudgetRow[]> {
  return db
    .selectFrom('pull_budgets')
    .select(['bucket', 'tokens', 'filled_at', 'blocked_until'])
    .where('bucket', 'not like', 'history %')
    .orderBy('filled_at', 'desc')
    .limit(limit)
    .execute()
}

export interface ProviderPullRow {
  provider: string
  environment: string
  /** Number of pull tasks. */
  tasks: number
  due: number
  oldest_due_at: Date | null
  /** Number of tasks whose last attempts failed, and the most frequent reason. */
  failing: number
  reason: string | null
  last_success_at: Date | null
}

/** Returns the number and state of the pull tasks of each provider. */
export async function measureProviders(db: Db, now: Date): Promise<ProviderPullRow[]> {
  const { rows } = await sql<ProviderPullRow>`
    select provider, environment.environment, count(*) as tasks,
      count(*) filter (where due_at <= ${now}) as due,
      min(due_at) filter (where due_at <= ${now}) as oldest_due_at,
      count(*) filter (where failures > 0) as failing,
      mode() within group (order by reason) filter (where failures > 0) as reason,
      max(succeeded_at) as last_success_at
    from pull_tasks join team_environments as environment on environment.id = environment_id
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

export interface ProviderConnectionRow {
  provider: string
  environment: string
  connected: number
  in_error: number
}

/** Counts the users who are connected to each provider, and the connections that no longer work. */
export async function countConnections(db: Db): Promise<ProviderConnectionRow[]> {
  const { rows } = await sql<ProviderConnectionRow>`
    select provider, environment.environment,
      count(*) filter (where status = 'connected') as connected,
      count(*) filter (where status = 'error') as in_error
    from connections join team_environments as environment on environment.id = environment_id
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
