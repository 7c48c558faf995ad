import {
  answerId,
  type CatalogLoinc,
  type CatalogQuestion,
  hashConcept,
  type MarkerDraft,
  type Question,
  questionId,
  type ResultDraft,
  searchTextOf,
  toSlug,
} from '../../catalog/index.ts'
import type { CompendiumTest } from '../reading/read-compendium.ts'

/** The laboratory of a compendium. */
export interface CompendiumLab {
  id: number
  slug: string
}

/**
 * Returns the marker of a test: what the compendium does not say is that of the marker that the
 * catalog has. `sample_type` is undefined when neither says it.
 */
export function toDraft(
  lab: CompendiumLab,
  test: CompendiumTest,
  existing: MarkerDraft | undefined,
  loincs: ReadonlyMap<string, CatalogLoinc>,
): Omit<MarkerDraft, 'sample_type'> & Partial<MarkerDraft> {
  const { code, name, fields } = test
  const base = { ...NEW_MARKER, ...existing, ...fields }
  const results = test.results?.map(toResult(loincs)) ?? existing?.results ?? [ownResult(test)]
  const isSingle = results.length === 1
  const loincCodes = [...new Set(results.flatMap(({ loincCode }) => loincCode ?? []))].sort()
  const isReported = test.results !== undefined || existing === undefined
  const single = isSingle ? 'biomarker' : 'panel'
  const unit = isSingle ? (results[0]?.unit ?? null) : null
  return {
    ...base,
    labSlug: lab.slug,
    provider_id: code,
    name,
    slug: toSlug(name) || toSlug(code) || code,
    type: fields.type ?? (isReported ? single : base.type),
    unit: fields.unit ?? (isReported ? unit : base.unit),
    is_orderable: base.reflexOf === null && base.is_orderable,
    questions: toQuestions(lab, test.questions, existing),
    specimens: test.specimens === undefined ? base.specimens : orNull(test.specimens),
    loinc_codes: loincCodes,
    loinc_set_hash: hashConcept(loincCodes, `${lab.slug} ${code}`),
    search_text: searchTextOf({
      name,
      aliases: base.aliases,
      provider_id: code,
      loinc_codes: loincCodes,
    }),
    results,
  }
}

const NEW_MARKER = {
  description: null,
  type: 'biomarker',
  unit: null,
  price_cents: null,
  aliases: [],
  cpt_codes: [],
  a_la_carte_enabled: false,
  insurance_states: null,
  is_orderable: true,
  common_tat_days: null,
  worst_case_tat_days: null,
  questions: null,
  specimens: null,
  popularity: 0,
  reflexOf: null,
} satisfies Partial<MarkerDraft>

const orNull = <T>(list: T[]): T[] | null => (list.length === 0 ? null : list)

const ownResult = ({ code, name }: CompendiumTest): ResultDraft => ({
  position: 0,
  name,
  slug: toSlug(name),
  provider_id: code,
  required: true,
  unit: null,
  loincCode: null,
})

const toResult =
  (loincs: ReadonlyMap<string, CatalogLoinc>) =>
  (
    { code, name, loinc, unit, required }: NonNullable<CompendiumTest['results']>[number],
    position: number,
  ): ResultDraft => ({
    position,
    name,
    slug: toSlug(name),
    provider_id: code,
    required,
    unit: unit ?? loincs.get(loinc ?? '')?.unit ?? null,
    loincCode: loinc,
  })

/**
 * Returns the questions of a marker. Those that it had keep their ids, because orders that were not
 * sent yet have answers to them.
 */
function toQuestions(
  lab: CompendiumLab,
  questions: readonly CatalogQuestion[] | undefined,
  existing: MarkerDraft | undefined,
): Question[] | null {
  if (questions === undefined) return existing?.questions ?? null
  if (questions.length === 0) return null
  const known = new Map((existing?.questions ?? []).map((it) => [it.code, it]))
  return questions.map((question, index) => {
    const before = known.get(question.code)
    const answers = new Map((before?.answers ?? []).map(({ code, id }) => [code, id]))
    const key = `${lab.slug} ${question.code}`
    return {
      id: before?.id ?? questionId(key),
      required: question.required,
      code: question.code,
      value: question.text,
      type: question.type,
      sequence: index + 1,
      answers: (question.answers ?? []).map(({ code, text }) => ({
        id: answers.get(code) ?? answerId(key, code),
        code,
        value: text,
      })),
      constraint: question.constraint ?? null,
      default: question.default ?? null,
    }
  })
}
