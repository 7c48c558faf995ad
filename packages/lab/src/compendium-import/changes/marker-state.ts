import type { MarkerDraft } from '../../catalog/index.ts'

/** A test as texts by field, such as `results.2951-2.unit`: equal tests have equal texts. */
export type MarkerState = ReadonlyMap<string, string>

/** Returns what a compendium can change in a test. */
export function stateOf(draft: MarkerDraft): MarkerState {
  const state = new Map<string, string>()
  const add = (field: string, value: string | number | boolean | null | undefined): void => {
    if (value !== null && value !== undefined && value !== '') state.set(field, String(value))
  }
  add('name', draft.name)
  add('slug', draft.slug)
  add('description', draft.description)
  add('type', draft.type)
  add('unit', draft.unit)
  add('sample_type', draft.sample_type)
  add('price_cents', draft.price_cents)
  add('aliases', draft.aliases.join('; '))
  add('cpt_codes', draft.cpt_codes.join('; '))
  add('a_la_carte_enabled', draft.a_la_carte_enabled)
  add('is_orderable', draft.is_orderable)
  add('common_tat_days', draft.common_tat_days)
  add('worst_case_tat_days', draft.worst_case_tat_days)
  addResults(draft, add)
  addQuestions(draft, add)
  for (const [index, specimen] of (draft.specimens ?? []).entries()) {
    for (const [rule, text] of Object.entries(specimen)) add(`specimens.${index + 1}.${rule}`, text)
  }
  return state
}

type Add = (field: string, value: string | boolean | null | undefined) => void

function addResults({ results }: MarkerDraft, add: Add): void {
  const keys = results.map(({ provider_id: code, slug }) => code ?? slug)
  add('results', keys.join('; '))
  for (const [index, result] of results.entries()) {
    const path = `results.${keys[index]}`
    add(`${path}.name`, result.name)
    add(`${path}.loinc`, result.loincCode)
    add(`${path}.unit`, result.unit)
    add(`${path}.required`, result.required)
  }
}

function addQuestions({ questions }: MarkerDraft, add: Add): void {
  add('questions', (questions ?? []).map(({ code }) => code).join('; '))
  for (const { code, value, type, required, answers, constraint, default: preset } of questions ??
    []) {
    const path = `questions.${code}`
    add(`${path}.text`, value)
    add(`${path}.type`, type)
    add(`${path}.required`, required)
    add(`${path}.answers`, answers.map((answer) => `${answer.code}=${answer.value}`).join('; '))
    add(`${path}.constraint`, constraint)
    add(`${path}.default`, preset)
  }
}

/** A field that differs; null where one of the two has none. */
export interface FieldChange {
  field: string
  before: string | null
  after: string | null
}

/** Returns the fields that differ between two states. */
export function compareStates(before: MarkerState, after: MarkerState): FieldChange[] {
  const fields = [...new Set([...before.keys(), ...after.keys()])]
  return fields
    .map((field) => ({
      field,
      before: before.get(field) ?? null,
      after: after.get(field) ?? null,
    }))
    .filter((change) => change.before !== change.after)
}
