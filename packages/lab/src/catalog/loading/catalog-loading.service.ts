import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { badRequest } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import { checkCatalog } from './catalog-checks.ts'
import {
  LAB_ACCOUNTS_MERGE,
  LABS_MERGE,
  LOINCS_MERGE,
  PHYSICIANS_MERGE,
} from './catalog-columns.registry.ts'
import { bundleCatalog, readCatalogFiles } from './catalog-files.ts'
import type { Catalog, CatalogImportSummary, Changes } from './catalog-format.schema.ts'
import * as repository from './catalog-loading.global.repository.ts'
import { joinLoincs } from './catalog-lookup.ts'
import type { CatalogProblems } from './catalog-problems.ts'
import { mergeMarkers } from './marker-merge.service.ts'
import { readCatalog } from './read-catalog.ts'
import { resolveMarkers } from './resolve-catalog.ts'
import { toSlug } from './slug.ts'
import { listStates } from './state-lists.ts'

/** The shipped catalog of sample laboratories and tests. */
export const STARTING_CATALOG = fileURLToPath(new URL('../../../data/catalog', import.meta.url))

export type CatalogSource = 'starting' | 'operator'

export interface LoadOptions {
  /** Source of the catalog; the starting catalog is not loaded again after one of the operator. */
  source?: CatalogSource
  /** Hash of the content; by default of its JSON. */
  hash?: Buffer
  /** Rolls back after counting the changes. */
  isDryRun?: boolean
}

/**
 * Loads a catalog in one transaction. The laboratories that it names get exactly its markers;
 * markers that it no longer has are deactivated. All other data and all ids stay.
 * @param input the documented object, or the path of a folder or file that holds it
 * @throws AppError 400 `catalog_invalid` with all problems; then nothing is written
 */
export async function loadCatalog(
  db: Db,
  input: unknown,
  at: Date,
  { source = 'operator', hash, isDryRun = false }: LoadOptions = {},
): Promise<CatalogImportSummary> {
  if (typeof input === 'string') {
    const files = await readCatalogFiles(input)
    const options = { source, hash: files.hash, isDryRun }
    return loadCatalog(db, bundleCatalog(files), at, options)
  }
  const contentHash = hash ?? createHash('sha256').update(JSON.stringify(input)).digest()
  const { catalog, problems } = readCatalog(input)
  if (catalog === undefined) throw invalidCatalog(problems)
  try {
    return await db.transaction().execute(async (transaction) => {
      await repository.lockCatalogLoads(transaction)
      const origin = { isSample: source === 'starting', at }
      const summary = await writeCatalog(transaction, catalog, problems, origin)
      await repository.storeLoad(transaction, source, contentHash, at)
      if (isDryRun) throw new DryRun(summary)
      return summary
    })
  } catch (error) {
    if (error instanceof DryRun) return { ...error.summary, dry_run: true }
    throw error
  }
}

/** Thrown to roll back the transaction. */
class DryRun extends Error {
  readonly summary: CatalogImportSummary

  constructor(summary: CatalogImportSummary) {
    super('Rolls back a dry run.')
    this.summary = summary
  }
}

/**
 * Loads the shipped catalog into an installation without laboratories, and again when a new version
 * ships another one. It is not loaded after the operator has loaded a catalog.
 * @returns undefined when nothing had to be done
 */
export async function loadStartingCatalog(
  db: Db,
  at: Date,
): Promise<CatalogImportSummary | undefined> {
  const files = await readCatalogFiles(STARTING_CATALOG)
  const isWanted = async (): Promise<boolean> => {
    const loads = await repository.listLoads(db)
    if (loads.has('operator')) return false
    const last = loads.get('starting')
    return last === undefined ? !(await repository.hasLabs(db)) : !last.equals(files.hash)
  }
  if (!(await isWanted())) return undefined
  return loadCatalog(db, bundleCatalog(files), at, { source: 'starting', hash: files.hash })
}

/** Origin of rows: those of the shipped catalog are for sandboxes only. */
interface Origin {
  isSample: boolean
  at: Date
}

async function writeCatalog(
  db: Db,
  catalog: Catalog,
  problems: CatalogProblems,
  origin: Origin,
): Promise<CatalogImportSummary> {
  const loincs = joinLoincs(catalog, await repository.listLoincs(db))
  checkCatalog(catalog, loincs, problems)
  if (problems.count > 0) throw invalidCatalog(problems)
  const labs = await repository.mergeRows(db, LABS_MERGE, catalog.labs.map(toLabRow(origin)))
  const loincRows = (catalog.loincs ?? []).map((loinc) => ({ ...loinc, slug: toSlug(loinc.name) }))
  const loincChanges = await repository.mergeRows(db, LOINCS_MERGE, loincRows)
  const markers = await mergeMarkers(db, catalog, resolveMarkers(catalog, loincs))
  const accounts = await mergeAccounts(db, catalog, problems, origin)
  const physicians = await mergePhysicians(db, catalog, origin)
  return {
    dry_run: false,
    labs,
    loincs: loincChanges,
    ...markers,
    lab_accounts: accounts,
    physicians,
  }
}

const toLabRow =
  ({ isSample }: Origin) =>
  (lab: Catalog['labs'][number]) => ({
    ...lab,
    is_enabled: lab.is_enabled ?? true,
    is_sample: isSample,
  })

async function mergeAccounts(
  db: Db,
  { labs, lab_accounts: accounts = [] }: Catalog,
  problems: CatalogProblems,
  { isSample, at }: Origin,
): Promise<Changes> {
  const named = new Set(labs.map(({ slug }) => slug))
  const labIds = await repository.listLabIds(db)
  const ids = new Map(labIds.map(({ id, slug }) => [slug, id]))
  const there = await repository.listAccounts(
    db,
    labIds.filter(({ slug }) => named.has(slug)).map(({ id }) => id),
  )
  const existing = new Map(there.map((it) => [`${it.lab_id} ${it.provider_account_id}`, it]))
  const rows = accounts.map(({ lab, allowed_billing: billing, ...account }, index) => {
    const found = existing.get(`${ids.get(lab)} ${account.provider_account_id}`)
    if (found !== undefined && found.organization_id !== null) {
      const path = `lab_accounts[${index}].provider_account_id`
      problems.add(path, 'An organization has an account of that number at the lab.')
    }
    const states = Object.entries(billing).map(([name, list]) => [name, listStates(list)])
    return {
      status: 'active',
      delegated_flow: 'not_delegated',
      ...account,
      // The teams of an account are also set elsewhere: a catalog without a list keeps them.
      team_id_allowlist: account.team_id_allowlist ?? found?.team_id_allowlist ?? [],
      allowed_billing: Object.fromEntries(states),
      lab_id: ids.get(lab),
      is_sample: isSample,
      id: newId(),
      created_at: at,
    }
  })
  if (problems.count > 0) throw invalidCatalog(problems)
  return repository.mergeRows(db, LAB_ACCOUNTS_MERGE, rows)
}

function mergePhysicians(
  db: Db,
  { network_physicians: physicians = [] }: Catalog,
  { isSample, at }: Origin,
): Promise<Changes> {
  const rows = physicians.map((physician) => ({
    ...physician,
    licensed_states: listStates(physician.licensed_states),
    is_sample: isSample,
    id: newId(),
    created_at: at,
  }))
  return repository.mergeRows(db, PHYSICIANS_MERGE, rows)
}

/** Creates the refusal of a catalog with all of its problems. */
export function invalidCatalog({ list, count }: CatalogProblems): Error {
  const extra = { problems: list, problem_count: count }
  return badRequest('catalog_invalid', 'The catalog has problems; nothing was loaded.', extra)
}
