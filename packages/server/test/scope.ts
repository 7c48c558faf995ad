import type { Db } from '../src/platform/postgres/database.ts'
import type { Environment, Scope } from '../src/platform/scope.ts'

/** A scope as far as functions need it that only work on rows of an environment. */
export const rowScope = (db: Db, environment: Pick<Environment, 'id'>): Scope =>
  ({ db, environment }) as Scope
