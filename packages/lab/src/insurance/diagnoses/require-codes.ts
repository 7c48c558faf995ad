import { AppError } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import { hasLoads } from './diagnosis-codes.global.repository.ts'

/** Databases that have codes: they keep them. */
const loaded = new WeakSet<Db>()

/**
 * A first start has the codes loaded in the background. Until then no code is unknown, and no
 * search finds nothing.
 * @throws AppError 503 `diagnosis_codes_loading`
 */
export async function requireCodes(db: Db): Promise<void> {
  if (loaded.has(db)) return
  if (!(await hasLoads(db))) {
    const message = 'The diagnosis codes are still being loaded. Try again in a moment.'
    throw new AppError(503, 'diagnosis_codes_loading', message)
  }
  loaded.add(db)
}
