import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { badRequest } from '../../../../platform/errors.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import type { CatalogProblems } from '../../../catalog/index.ts'
import { FREQUENT_CODES } from '../frequent-codes.registry.ts'
import { SECONDARY_CODES } from '../secondary-codes.registry.ts'
import * as repository from './diagnosis-loading.global.repository.ts'
import type { DiagnosisCodeFiles, DiagnosisCodesReport } from './diagnosis-loading.schema.ts'
import { readOrderFile } from './read-order-file.ts'
import { readTabular, type Tabular } from './read-tabular.ts'
import { STARTING_NOTES } from './starting-notes.registry.ts'
import { readStartingNotes } from './starting-notes.ts'
import { spellingWordsOf, toCodeRows } from './to-code-rows.ts'

/** The code set that is shipped: ICD-10-CM of January 2021. */
const STARTING_FILE = fileURLToPath(
  new URL('../../../../../data/icd10cm/icd10cm-order-2021-01.txt.gz', import.meta.url),
)

/** What is to be in the tables, and where it comes from. */
interface CodeSet {
  orderFile: string
  /** Undefined leaves the notes that are there. */
  tabular: Tabular | undefined
  source: 'starting' | 'operator'
  hash: Buffer
}

/**
 * Replaces the code set in one transaction: codes that are no longer in it are gone from searches and refused in
 * new orders, and stay in the orders that have them.
 * @throws AppError 400 `diagnosis_codes_invalid` with all problems; then nothing is written
 */
export async function loadDiagnosisCodes(
  db: Db,
  { order_file: orderFile, tabular_xml: xml }: DiagnosisCodeFiles,
  at: Date,
  { isDryRun = false } = {},
): Promise<DiagnosisCodesReport> {
  const read = xml === undefined ? undefined : await readTabular(xml)
  if (read !== undefined && read.problems.count > 0) throw invalidCodes(read.problems)
  const hash = hashOf(orderFile, xml ?? '')
  const set: CodeSet = { orderFile, tabular: read?.tabular, source: 'operator', hash }
  return storeCodeSet(db, set, at, isDryRun)
}

/**
 * Loads the shipped code set into an installation that has none, or again when a new version brings another
 * one. Once an operator loaded a set it is left alone.
 * @returns undefined when nothing had to be done
 */
export async function loadStartingDiagnosisCodes(
  db: Db,
  at: Date,
): Promise<DiagnosisCodesReport | undefined> {
  const file = await readFile(STARTING_FILE)
  const hash = hashOf(file, JSON.stringify([FREQUENT_CODES, SECONDARY_CODES, STARTING_NOTES]))
  const loads = await repository.listLoads(db)
  if (loads.has('operator') || loads.get('starting')?.equals(hash)) return undefined
  const orderFile = (await promisify(gunzip)(file)).toString('latin1')
  const tabular = { notes: readStartingNotes(STARTING_NOTES), unread: 0 }
  return storeCodeSet(db, { orderFile, tabular, source: 'starting', hash }, at, false)
}

function hashOf(...contents: (string | Buffer)[]): Buffer {
  const hash = createHash('sha256')
  for (const content of contents) hash.update(`${content.length}\0`).update(content)
  return hash.digest()
}

/** Thrown to have the transaction undone. */
class DryRun extends Error {
  readonly report: DiagnosisCodesReport

  constructor(report: DiagnosisCodesReport) {
    super('A dry run is undone.')
    this.report = report
  }
}

async function storeCodeSet(
  db: Db,
  set: CodeSet,
  at: Date,
  isDryRun: boolean,
): Promise<DiagnosisCodesReport> {
  const { lines, problems } = await readOrderFile(set.orderFile)
  if (problems.count > 0) throw invalidCodes(problems)
  try {
    return await db.transaction().execute(async (transaction) => {
      await repository.lockLoads(transaction)
      if (set.tabular !== undefined) {
        await repository.replaceNotes(transaction, set.tabular.notes)
      }
      const rows = await toCodeRows(lines, await repository.listCodeFirst(transaction))
      const codes = await repository.replaceCodes(transaction, rows)
      await repository.replaceWords(transaction, spellingWordsOf(rows))
      await repository.storeLoad(transaction, set.source, set.hash, at)
      const report = {
        dry_run: isDryRun,
        codes,
        billable: rows.filter((row) => row.is_billable).length,
        notes: {
          ...(await repository.countNotes(transaction)),
          unread: set.tabular?.unread ?? 0,
        },
      }
      if (isDryRun) throw new DryRun(report)
      await repository.analyzeCodes(transaction)
      return report
    })
  } catch (error) {
    if (error instanceof DryRun) return error.report
    throw error
  }
}

function invalidCodes({ list, count }: CatalogProblems): Error {
  const extra = { problems: list, problem_count: count }
  const message = 'The diagnosis codes have problems; nothing was loaded.'
  return badRequest('diagnosis_codes_invalid', message, extra)
}
