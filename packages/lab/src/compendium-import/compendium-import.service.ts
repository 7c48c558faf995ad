import { createHash } from 'node:crypto'
import { badRequest } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import {
  CatalogProblems,
  findLabBySlug,
  LOINCS_MERGE,
  listLoincs,
  listMarkersOfLab,
  lockCatalogLoads,
  mergeRows,
  recordCompendiumOfLab,
  toSlug,
  writeMarkers,
} from '../catalog/index.ts'
import { type Plan, planChanges } from './changes/plan-changes.ts'
import type { CompendiumImport, CompendiumReport } from './compendium-import.schema.ts'
import { insertCompendiumLoad } from './compendium-loads.global.repository.ts'
import { makeReport } from './compendium-report.ts'
import { readMapping } from './mapping/read-mapping.ts'
import { type Compendium, readCompendium } from './reading/read-compendium.ts'

export interface ImportOptions {
  /** Only reports what would change. */
  isDryRun: boolean
  /** Applies the changes although more than a tenth of the tests are retired. */
  allowsRetiring: boolean
  /** Applies the changes although some tests are refused. */
  skipsRefused: boolean
}

/**
 * Imports the files of a laboratory's compendium in one transaction. Without a change nothing is
 * written.
 * @throws AppError 400 `compendium_invalid` with all problems, `compendium_retires_too_many`
 */
export async function importCompendium(
  db: Db,
  request: CompendiumImport,
  options: ImportOptions,
  at: Date,
): Promise<CompendiumReport> {
  const problems = new CatalogProblems()
  const mapping = readMapping(request.mapping, problems)
  if (mapping === undefined) throw invalidCompendium(problems)
  const files = Object.entries(request.files).map(([name, content]) => ({
    name,
    content: Buffer.from(content, 'base64'),
  }))
  const compendium = readCompendium(files, mapping, problems)
  if (problems.count > 0) throw invalidCompendium(problems)
  return db.transaction().execute(async (tx) => {
    await lockCatalogLoads(tx)
    const lab = await findImportLab(tx, request.lab, problems)
    const markers = await listMarkersOfLab(tx, lab)
    const loincs = new Map((await listLoincs(tx)).map((loinc) => [loinc.code, loinc]))
    const plan = planChanges({ lab, markers, loincs }, compendium, mapping.scope ?? 'full')
    const active = markers.filter(({ isActive }) => isActive).length
    const report = await makeReport(tx, { lab, plan, compendium, active })
    if (options.isDryRun) return { ...report, dry_run: true }
    refuseUnlessAllowed(report, compendium, options)
    if (plan.changes.length === 0) return report
    await applyPlan(tx, lab, plan)
    const { added, changed, retired } = report
    const hash = createHash('sha256').update(JSON.stringify([request.mapping, request.files]))
    const load = { id: newId(), lab_id: lab.id, loaded_at: at, content_hash: hash.digest() }
    await insertCompendiumLoad(tx, { ...load, added, changed, retired })
    return report
  })
}

async function findImportLab(db: Db, slug: string, problems: CatalogProblems) {
  const lab = await findLabBySlug(db, slug)
  if (lab === undefined) problems.add('lab', `No lab has the slug ${slug}; load it first.`)
  // Its address, CLIA number and accounts are invented, and orders would be sent with them.
  else if (lab.is_sample) problems.add('lab', `${slug} is a sample; load the laboratory first.`)
  else return lab
  throw invalidCompendium(problems)
}

function refuseUnlessAllowed(
  report: CompendiumReport,
  { refusals }: Compendium,
  { allowsRetiring, skipsRefused }: ImportOptions,
): void {
  if (refusals.count > 0 && !skipsRefused) {
    throw badRequest('compendium_invalid', 'The compendium has problems; nothing was loaded.', {
      problems: refusals.list.map(({ path, message }) => ({ path, message })),
      problem_count: refusals.count,
    })
  }
  if (report.retires_too_many && !allowsRetiring) {
    throw badRequest(
      'compendium_retires_too_many',
      'The compendium would retire more than a tenth of the tests; nothing was loaded.',
      { retired: report.retired },
    )
  }
}

async function applyPlan(db: Db, lab: { id: number; slug: string }, plan: Plan): Promise<void> {
  const loincs = plan.loincs.map((loinc) => ({ ...loinc, slug: toSlug(loinc.name) }))
  await mergeRows(db, LOINCS_MERGE, loincs)
  await writeMarkers(db, new Map([[lab.slug, lab.id]]), plan.drafts, plan.kept)
  await recordCompendiumOfLab(db, lab.id)
}

function invalidCompendium({ list, count }: CatalogProblems): Error {
  const extra = { problems: list, problem_count: count }
  return badRequest('compendium_invalid', 'The compendium has problems; nothing was loaded.', extra)
}
