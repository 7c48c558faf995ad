import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { badRequest } from '@salus/kernel/errors'
import { addJob, defineJob, handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Db } from '@salus/kernel/postgres/database'
import type { Stores } from '@salus/kernel/scope'
import type { CatalogProblems } from '../../../catalog/index.ts'
import { FREQUENT_CODES } from '../frequent-codes.registry.ts'
import { SECONDARY_CODES } from '../secondary-codes.registry.ts'
import * as repository from './diagnosis-loading.global.repository.ts'
import type { DiagnosisCodeFiles, DiagnosisImportSummary } from './diagnosis-loading.schema.ts'
import { listCodes } from './note-codes.ts'
import { type OrderLine, readOrderFile } from './read-order-file.ts'
import { type DiagnosisNote, readTabular, type Tabular } from './read-tabular.ts'
import { STARTING_NOTES } from './starting-notes.registry.ts'
import { spellingWordsOf, toCodeRows } from './to-code-rows.ts'

/** The shipped code set: ICD-10-CM of January 2021. */
const STARTING_FILE = fileURLToPath(
  new URL('../../../../data/icd10cm/icd10cm-order-2021-01.txt.gz', import.meta.url),
)

/** The content of a code set and its source. */
interface CodeSet {
  lines: readonly OrderLine[]
  /** Undefined keeps the stored notes. */
  tabular: Tabular | undefined
  source: 'starting' | 'operator'
  hash: Buffer
}

/**
 * Replaces the code set in one transaction. Removed codes are no longer found and are refused in
 * new orders; existing orders keep them.
 * @throws AppError 400 `diagnosis_codes_invalid` with all problems; then nothing is written
 */
export async function loadDiagnosisCodes(
  db: Db,
  { order_file: orderFile, tabular_xml: xml }: DiagnosisCodeFiles,
  at: Date,
  { isDryRun = false } = {},
): Promise<DiagnosisImportSummary> {
  const read = xml === undefined ? undefined : await readTabular(xml)
  if (read !== undefined && read.problems.count > 0) throw invalidCodes(read.problems)
  const lines = await readLines(orderFile)
  const hash = hashOf(orderFile, xml ?? '')
  try {
    return await db.transaction().execute(async (transaction) => {
      await repository.lockLoads(transaction)
      const set: CodeSet = { lines, tabular: read?.tabular, source: 'operator', hash }
      const summary = await writeCodeSet(transaction, set, at)
      if (isDryRun) throw new DryRun({ ...summary, dry_run: true })
      return summary
    })
  } catch (error) {
    if (error instanceof DryRun) return error.summary
    throw error
  }
}

const LOAD_STARTING_CODES = defineJob('load_starting_diagnosis_codes')

/**
 * Adds a job that loads the shipped code set if needed: loading takes seconds, for which a start
 * need not wait. Until the first load has finished, operations with codes answer 503.
 */
export async function addStartingDiagnosisCodes(db: Db): Promise<void> {
  const { hash } = await readStarting()
  // The job has no key: a later start adds it again, and a second job finds nothing to do.
  if (await isWanted(db, hash)) await addJob(db, LOAD_STARTING_CODES, {})
}

/** The job that loads the shipped codes; it is added again when a stop interrupts it. */
export function diagnosisJobs({ db, clock }: Stores): JobDefinitions {
  return {
    handlers: handleJob(LOAD_STARTING_CODES, async (_payload, signal) => {
      try {
        await loadStartingDiagnosisCodes(db, clock.now(), signal)
      } catch (error) {
        if (!signal.aborted) throw error
        // Another process continues at once, or this one after its restart.
        await addJob(db, LOAD_STARTING_CODES, {})
      }
    }),
    schedule: '',
  }
}

/**
 * Loads the shipped code set into an installation without codes, and again when a new version ships
 * another one. It is not loaded after the operator has loaded a code set.
 * @returns undefined when nothing had to be done
 * @throws the reason of `signal`; then nothing is written
 */
export async function loadStartingDiagnosisCodes(
  db: Db,
  at: Date,
  signal?: AbortSignal,
): Promise<DiagnosisImportSummary | undefined> {
  const { file, hash } = await readStarting()
  return db.transaction().execute(async (transaction) => {
    await repository.lockLoads(transaction)
    // Another process or an operator may have loaded codes while this one waited for the lock.
    if (!(await isWanted(transaction, hash))) return undefined
    const lines = await readLines((await promisify(gunzip)(file)).toString('latin1'))
    const tabular = { notes: readStartingNotes(), unread: 0 }
    return writeCodeSet(transaction, { lines, tabular, source: 'starting', hash }, at, signal)
  })
}

async function readStarting(): Promise<{ file: Buffer; hash: Buffer }> {
  const file = await readFile(STARTING_FILE)
  const words = JSON.stringify([FREQUENT_CODES, SECONDARY_CODES, STARTING_NOTES])
  return { file, hash: hashOf(file, words) }
}

async function isWanted(db: Db, startingHash: Buffer): Promise<boolean> {
  const loads = await repository.listLoads(db)
  return !loads.has('operator') && !loads.get('starting')?.equals(startingHash)
}

function readStartingNotes(): DiagnosisNote[] {
  return STARTING_NOTES.flatMap(([at, type, codes]) =>
    listCodes(at).flatMap((range) =>
      listCodes(codes).map((excluded) => ({ type, at: range, excluded })),
    ),
  )
}

function hashOf(...contents: (string | Buffer)[]): Buffer {
  const hash = createHash('sha256')
  for (const content of contents) hash.update(`${content.length}\0`).update(content)
  return hash.digest()
}

/** Thrown to roll back the transaction. */
class DryRun extends Error {
  readonly summary: DiagnosisImportSummary

  constructor(summary: DiagnosisImportSummary) {
    super('Rolls back a dry run.')
    this.summary = summary
  }
}

async function readLines(orderFile: string): Promise<OrderLine[]> {
  const { lines, problems } = await readOrderFile(orderFile)
  if (problems.count > 0) throw invalidCodes(problems)
  return lines
}

async function writeCodeSet(
  transaction: Db,
  { lines, tabular, source, hash }: CodeSet,
  at: Date,
  signal?: AbortSignal,
): Promise<DiagnosisImportSummary> {
  if (tabular !== undefined) await repository.replaceNotes(transaction, tabular.notes)
  const rows = await toCodeRows(lines, await repository.listCodeFirst(transaction))
  const codes = await repository.replaceCodes(transaction, rows, signal)
  await repository.replaceWords(transaction, spellingWordsOf(rows))
  await repository.storeLoad(transaction, source, hash, at)
  await repository.prepareSearches(transaction)
  return {
    dry_run: false,
    codes,
    billable: rows.filter((row) => row.is_billable).length,
    notes: { ...(await repository.countNotes(transaction)), unread: tabular?.unread ?? 0 },
  }
}

function invalidCodes({ list, count }: CatalogProblems): Error {
  const extra = { problems: list, problem_count: count }
  const message = 'The diagnosis codes have problems; nothing was loaded.'
  return badRequest('diagnosis_codes_invalid', message, extra)
}
