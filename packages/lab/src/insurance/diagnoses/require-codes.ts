import { AppError } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import { hasLoads } from './diagnosis-codes.global.repository.ts'

/** Databases that are known to have codes. */
const loaded = new WeakSet<Db>()

/**
 * Checks that codes are loaded, which happens in the background after the first start. Until then
 * codes cannot be checked or searched.
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
