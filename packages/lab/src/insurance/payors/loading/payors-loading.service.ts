import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { badRequest } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import { type CatalogProblems, mergeRows, searchTextOf } from '../../../catalog/index.ts'
import type { PayorImportSummary } from './payors-import.schema.ts'
import * as repository from './payors-loading.global.repository.ts'
import { type GivenPayor, readPayors } from './read-payors.ts'

const SAMPLE_FILE = fileURLToPath(
  new URL('../../../../data/payors/sample-payors.csv', import.meta.url),
)

/**
 * Replaces the operator's list of payors in one transaction. Removed payors are no longer found,
 * and stay with the policies that refer to them.
 * @throws AppError 400 `payors_invalid` with all problems; then nothing is written
 */
export async function loadPayors(
  db: Db,
  csv: string,
  at: Date,
  isDryRun: boolean,
): Promise<PayorImportSummary> {
  const { payors, problems } = readPayors(csv)
  if (problems.count > 0) throw invalidPayors(problems)
  let summary: Omit<PayorImportSummary, 'dry_run'> | undefined
  try {
    await db.transaction().execute(async (transaction) => {
      await repository.lockPayorLoads(transaction)
      summary = await writePayors(transaction, payors, { isSample: false, at })
      if (isDryRun) throw UNDO
    })
  } catch (error) {
    if (error !== UNDO) throw error
  }
  if (summary === undefined) throw new Error('The load ended without a summary.')
  return { ...summary, dry_run: isDryRun }
}

/** Thrown to roll back the transaction. */
const UNDO = new Error('Rolls back a dry run.')

/** Loads the sample payors, which sandboxes see, and their changes in a new version. */
export async function loadStartingPayors(db: Db, at: Date): Promise<void> {
  const { payors, problems } = readPayors(await readFile(SAMPLE_FILE, 'utf8'))
  if (problems.count > 0) throw invalidPayors(problems)
  await db.transaction().execute(async (transaction) => {
    await repository.lockPayorLoads(transaction)
    const taken = new Set(await repository.listOperatorCodes(transaction))
    const free = payors.filter(({ payor_code: code }) => !taken.has(code))
    await writePayors(transaction, free, { isSample: true, at })
  })
}

async function writePayors(
  db: Db,
  payors: readonly GivenPayor[],
  { isSample, at }: { isSample: boolean; at: Date },
): Promise<Omit<PayorImportSummary, 'dry_run'>> {
  const rows = payors.map(({ line: _, ...payor }) => ({
    ...payor,
    is_sample: isSample,
    is_active: true,
    search_text: searchTextOf({ ...payor, provider_id: null, loinc_codes: [] }),
    id: newId(),
    created_at: at,
  }))
  const changes = await mergeRows(db, repository.PAYORS_MERGE, rows)
  const codes = payors.map(({ payor_code: code }) => code)
  const deactivated = await repository.deactivateOtherPayors(db, isSample, codes)
  return { payors: changes, deactivated }
}

function invalidPayors({ list, count }: CatalogProblems): Error {
  const extra = { problems: list, problem_count: count }
  return badRequest('payors_invalid', 'The list of payors has problems; nothing was loaded.', extra)
}
