import type { Db } from '@salus/kernel/postgres/database'
import type { Environment, Scope } from '@salus/kernel/scope'

/** A scope as far as functions need it that only work on rows of an environment. */
export const rowScope = (db: Db, environment: Pick<Environment, 'id'>): Scope =>
  ({ db, environment }) as Scope
