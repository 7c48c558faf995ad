import type { UserRow } from '../../../accounts/users/index.ts'
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import type { EventEnvironment } from '../../../platform/events/events.ts'
import type { Logger } from '../../../platform/log.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { QueryRow } from '../managing/queries.repository.ts'

export interface EvaluationContext {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  log: Logger
  /** Length of the window that is kept up to date. */
  continuousQueryDays: number
  /** Most rows that one evaluation may look at. */
  queryMaxSourceRows: number
}

/** What is evaluated: a query for one person. */
export interface EvaluationSubject {
  query: QueryRow
  user: UserRow
  scope: EventEnvironment
}
