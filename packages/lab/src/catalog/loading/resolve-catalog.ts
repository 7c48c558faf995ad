import { createHash } from 'node:crypto'
import type {
  MarkerType,
  Question,
  SampleType,
  SpecimenRequirement,
} from '../lab-catalog.schema.ts'
import { searchTextOf } from '../markers/search-text.ts'
import type {
  Catalog,
  CatalogLoinc,
  CatalogOrderables,
  CatalogTest,
} from './catalog-format.schema.ts'
import { findEntry } from './catalog-lookup.ts'
import { toQuestion } from './question-ids.ts'
import { toSlug } from './slug.ts'
import { listStates } from './state-lists.ts'

/** A row of `expected_results` without generated columns. */
export interface ResultDraft {
  position: number
  name: string
  slug: string
  provider_id: string | null
  required: boolean
  unit: string | null
  loincCode: string | null
}

/** A row of `markers` without generated columns. */
export interface MarkerDraft {
  labSlug: string
  provider_id: string | null
  name: string
  slug: string
  description: string | null
  type: MarkerType
  unit: string | null
  price_cents: number | null
  sample_type: SampleType
  aliases: string[]
  cpt_codes: string[]
  a_la_carte_enabled: boolean
  /** States in which insurers cover the marker; null for all. */
  insurance_states: string[] | null
  is_orderable: boolean
  common_tat_days: number | null
  worst_case_tat_days: number | null
  questions: Question[] | null
  specimens: SpecimenRequirement[] | null
  loinc_codes: string[]
  loinc_set_hash: string
  popularity: number
  search_text: string
  /** Code of the marker whose result triggers this reflex marker. */
  reflexOf: string | null
  results: ResultDraft[]
}

interface Context {
  catalog: Catalog
  loincs: ReadonlyMap<string, CatalogLoinc>
}

/**
 * Returns the markers of a checked catalog with all references resolved, by laboratory, parents of
 * reflex markers first.
 */
export function resolveMarkers(
  catalog: Catalog,
  loincs: ReadonlyMap<string, CatalogLoinc>,
): MarkerDraft[] {
  const context = { catalog, loincs }
  const markers = Object.entries(catalog.orderables ?? {}).flatMap(([labSlug, orderables]) =>
    orderables.tests.map((test) => resolveMarker(context, labSlug, orderables, test)),
  )
  const [parents, reflexes] = [markers.filter(isParent), markers.filter((it) => !isParent(it))]
  return [...parents, ...reflexes]
}

const isParent = ({ reflexOf }: MarkerDraft): boolean => reflexOf === null

function resolveMarker(
  context: Context,
  labSlug: string,
  { defaults = {}, result_codes: codes = {} }: CatalogOrderables,
  stated: CatalogTest,
): MarkerDraft {
  const concept = findEntry(context.catalog.concepts, stated.concept ?? '')
  const test = { ...defaults, ...concept, ...stated }
  const providerId = test.provider_id ?? null
  const name = test.name ?? ''
  const slug = test.slug ?? toSlug(name)
  const results = resolveResults(context, test, codes)
  const isSingle = results.length === 1
  if (isSingle && results[0]) results[0].provider_id ??= providerId
  const loincCodes = [...new Set(results.flatMap(({ loincCode }) => loincCode ?? []))].sort()
  const aliases = [...new Set([...(concept?.aliases ?? []), ...(stated.aliases ?? [])])]
  return {
    labSlug,
    provider_id: providerId,
    name,
    slug,
    description: test.description ?? null,
    type: test.type ?? (isSingle ? 'biomarker' : 'panel'),
    unit: test.unit ?? (isSingle ? (results[0]?.unit ?? null) : null),
    price_cents: test.price_cents ?? null,
    sample_type: test.sample_type as SampleType,
    aliases,
    cpt_codes: test.cpt_codes ?? [],
    a_la_carte_enabled: test.a_la_carte_enabled ?? false,
    insurance_states: test.insurance_states ? listStates(test.insurance_states) : null,
    is_orderable: test.reflex_of === undefined && (test.is_orderable ?? true),
    common_tat_days: test.common_tat_days ?? null,
    worst_case_tat_days: test.worst_case_tat_days ?? null,
    questions: resolveQuestions(context, test.questions),
    specimens: test.specimens?.length ? test.specimens : null,
    loinc_codes: loincCodes,
    loinc_set_hash: hashConcept(loincCodes, `${labSlug} ${providerId ?? slug}`),
    popularity: test.popularity ?? 0,
    search_text: searchTextOf({ name, aliases, provider_id: providerId, loinc_codes: loincCodes }),
    reflexOf: test.reflex_of ?? null,
    results,
  }
}

function resolveResults(
  context: Context,
  { results = [], reflex_results: reflexes = [] }: CatalogTest,
  codes: Record<string, string>,
): ResultDraft[] {
  return [...results, ...reflexes].map((key, position) => {
    const analyte = findEntry(context.catalog.analytes, key)
    const loincCode = analyte === undefined ? key : (analyte.loinc ?? null)
    const loinc = context.loincs.get(loincCode ?? '')
    const name = analyte?.name ?? loinc?.component ?? loinc?.name ?? key
    return {
      position,
      name,
      slug: analyte?.slug ?? toSlug(name),
      provider_id: findEntry(codes, key) ?? null,
      required: position < results.length,
      unit: analyte?.unit ?? loinc?.unit ?? null,
      loincCode,
    }
  })
}

function resolveQuestions({ catalog }: Context, keys: string[] | undefined): Question[] | null {
  const questions = (keys ?? []).flatMap((key, index) => {
    const question = findEntry(catalog.questions, key)
    return question === undefined ? [] : [toQuestion(key, question, index + 1)]
  })
  return questions.length === 0 ? null : questions
}

/**
 * Returns the same hash for all orderables with the same LOINC codes. An orderable without codes
 * gets its own hash, so that it matches no other.
 */
export function hashConcept(sortedLoincCodes: readonly string[], ownName: string): string {
  const text = sortedLoincCodes.length === 0 ? ownName : sortedLoincCodes.join(',')
  return createHash('sha256').update(text).digest('hex')
}
