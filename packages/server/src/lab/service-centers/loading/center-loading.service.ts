import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { badRequest } from '../../../platform/errors.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import * as repository from './center-loading.global.repository.ts'
import type { CentersReport } from './centers-report.schema.ts'
import { locateCenter } from './locate-center.ts'
import { CenterProblems, type ReadCenter, readCenters } from './read-centers.ts'

/** The directory that is shipped: sites that are none, for sandboxes. */
const SAMPLE_SITES = new URL('../../../../data/service-centers/sample-sites.csv', import.meta.url)
const SAMPLE_SOURCE = 'sample-sites'

/**
 * Loads an operator's list in one transaction. The laboratories that it names get exactly its sites: those that it
 * no longer has are closed, and stay, because appointments may speak of them.
 * @param csv docs/service-centers.md#the-file
 * @throws AppError 400 `service_centers_invalid` with all problems; then nothing is written
 */
export async function loadServiceCenters(
  db: Db,
  csv: string,
  { isDryRun = false } = {},
): Promise<CentersReport> {
  const problems = new CenterProblems()
  const read = readCenters(csv, problems)
  const labIds = await idsOfLabs(db)
  for (const { line, draft } of read) {
    if (!labIds.has(draft.lab)) problems.add(line, 'lab', 'No laboratory has this slug.')
  }
  const rows = await toRows(read, labIds, problems, false)
  if (problems.count > 0) throw invalidList(problems)
  const transaction = await db.startTransaction().execute()
  try {
    await repository.lockCenterLoads(transaction)
    const changes = await repository.mergeCenters(transaction, rows)
    const closed = await repository.closeOtherCenters(transaction, rows, false)
    await (isDryRun ? transaction.rollback() : transaction.commit()).execute()
    const labs = new Set(rows.map(({ lab_id: labId }) => labId)).size
    return { dry_run: isDryRun, labs, service_centers: changes, closed }
  } catch (error) {
    if (!transaction.isCommitted && !transaction.isRolledBack)
      await transaction.rollback().execute()
    throw error
  }
}

/**
 * Loads the shipped directory of sandboxes at a first start, and again when a new version brings another one. Sites
 * that an operator loaded are left alone, and laboratories that the installation does not have are left out.
 * @returns whether something had to be done
 */
export async function loadSampleServiceCenters(db: Db, at: Date): Promise<boolean> {
  const csv = await readFile(SAMPLE_SITES, 'utf8')
  const hash = createHash('sha256').update(csv).digest()
  if ((await repository.findLoad(db, SAMPLE_SOURCE))?.equals(hash)) return false
  const problems = new CenterProblems()
  const labIds = await idsOfLabs(db)
  const known = readCenters(csv, problems).filter(({ draft }) => labIds.has(draft.lab))
  const rows = await toRows(known, labIds, problems, true)
  if (problems.count > 0) throw invalidList(problems)
  await db.transaction().execute(async (transaction) => {
    await repository.lockCenterLoads(transaction)
    await repository.mergeCenters(transaction, rows)
    await repository.closeOtherCenters(transaction, rows, true)
    await repository.storeLoad(transaction, SAMPLE_SOURCE, hash, at)
  })
  return true
}

async function idsOfLabs(db: Db): Promise<Map<string, number>> {
  return new Map((await repository.listLabIds(db)).map(({ id, slug }) => [slug, id]))
}

async function toRows(
  read: readonly ReadCenter[],
  labIds: ReadonlyMap<string, number>,
  problems: CenterProblems,
  isSample: boolean,
): Promise<repository.NewServiceCenter[]> {
  const rows: repository.NewServiceCenter[] = []
  for (const center of read) {
    const location = await locateCenter(center, problems)
    const { lab, capabilities, is_active: isActive, ...draft } = center.draft
    const labId = labIds.get(lab)
    if (location === undefined || labId === undefined) continue
    rows.push({
      ...draft,
      ...location,
      lab_id: labId,
      capabilities: capabilities ?? [],
      is_active: isActive ?? true,
      is_sample: isSample,
    })
  }
  return rows
}

function invalidList({ list, count }: CenterProblems): Error {
  const extra = { problems: list, problem_count: count }
  return badRequest('service_centers_invalid', 'The list has problems; nothing was loaded.', extra)
}
