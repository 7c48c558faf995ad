import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { badRequest } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import { CatalogProblems, mergeRows } from '../../catalog/index.ts'
import type { CenterImportSummary } from './center-import.schema.ts'
import * as repository from './center-loading.global.repository.ts'
import { readCenters } from './read-centers.ts'

/** The shipped directory of fictitious sites for sandboxes. */
const SAMPLE_SITES = new URL('../../../data/service-centers/sample-sites.csv', import.meta.url)
const SAMPLE_SOURCE = 'sample-sites'

/**
 * Loads an operator's list in one transaction. The laboratories that it names get exactly its
 * sites: sites that it no longer has are closed, and stay stored because appointments may refer to
 * them.
 * @param csv docs/service-centers.md#the-file
 * @throws AppError 400 `service_centers_invalid` with all problems; then nothing is written
 */
export async function loadServiceCenters(
  db: Db,
  csv: string,
  isDryRun: boolean,
): Promise<CenterImportSummary> {
  const centers = await readList(db, csv, false)
  let summary: Omit<CenterImportSummary, 'dry_run'> | undefined
  try {
    await db.transaction().execute(async (transaction) => {
      await repository.lockCenterLoads(transaction)
      summary = await writeCenters(transaction, centers, false)
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

/**
 * Loads the shipped directory of sandboxes at a first start, and again when a new version ships
 * another one. Sites of operators are not changed, and laboratories that the installation does not
 * have are skipped.
 * @returns whether something had to be done
 */
export async function loadSampleServiceCenters(db: Db, at: Date): Promise<boolean> {
  const csv = await readFile(SAMPLE_SITES, 'utf8')
  const hash = createHash('sha256').update(csv).digest()
  if ((await repository.findLoad(db, SAMPLE_SOURCE))?.equals(hash)) return false
  const centers = await readList(db, csv, true)
  await db.transaction().execute(async (transaction) => {
    await repository.lockCenterLoads(transaction)
    const taken = await repository.listOperatorSites(transaction)
    const isTaken = new Set(taken.map((site) => `${site.lab_id} ${site.site_code}`))
    const free = centers.filter((it) => !isTaken.has(`${it.lab_id} ${it.site_code}`))
    await writeCenters(transaction, free, true)
    await repository.storeLoad(transaction, SAMPLE_SOURCE, hash, at)
  })
  return true
}

async function readList(
  db: Db,
  csv: string,
  isSample: boolean,
): Promise<repository.NewServiceCenter[]> {
  const labs = await repository.listLabIds(db)
  const labIds = new Map(labs.map(({ id, slug }) => [slug, id]))
  const problems = new CatalogProblems()
  const centers = await readCenters(csv, labIds, isSample, problems)
  if (problems.count === 0) return centers
  throw badRequest('service_centers_invalid', 'The list has problems; nothing was loaded.', {
    problems: problems.list,
    problem_count: problems.count,
  })
}

async function writeCenters(
  db: Db,
  centers: readonly repository.NewServiceCenter[],
  isSample: boolean,
): Promise<Omit<CenterImportSummary, 'dry_run'>> {
  const changes = await mergeRows(db, repository.CENTERS_MERGE, centers)
  const deactivated = await repository.deactivateOtherCenters(db, centers, isSample)
  const labs = new Set(centers.map(({ lab_id: labId }) => labId)).size
  return { labs, service_centers: changes, deactivated }
}
