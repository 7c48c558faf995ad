import { isLoincCode } from '@salus/kernel/check-digits'
import type { Catalog, CatalogLab, CatalogLoinc, CatalogTest } from './catalog-format.schema.ts'
import { findEntry } from './catalog-lookup.ts'
import { type CatalogProblems, findRepeated } from './catalog-problems.ts'
import { toSlug } from './slug.ts'
import { checkStates } from './state-lists.ts'

interface Context {
  catalog: Catalog
  loincs: ReadonlyMap<string, CatalogLoinc>
  problems: CatalogProblems
}

/** Adds the problems of concepts and of the laboratories' orderables. */
export function checkOrderables(
  catalog: Catalog,
  loincs: ReadonlyMap<string, CatalogLoinc>,
  problems: CatalogProblems,
): void {
  const context = { catalog, loincs, problems }
  for (const [key, concept] of Object.entries(catalog.concepts ?? {})) {
    checkTestContents(context, concept, `concepts.${key}`)
  }
  const labs = new Map(catalog.labs.map((lab) => [lab.slug, lab]))
  for (const [slug, { tests, defaults, result_codes: codes = {} }] of Object.entries(
    catalog.orderables ?? {},
  )) {
    const path = `orderables.${slug}`
    const insured = `${path}.defaults.insurance_states`
    checkStates(defaults?.insurance_states ?? [], insured, problems)
    const lab = labs.get(slug)
    if (lab === undefined) {
      problems.add(path, `No lab has the slug ${slug}.`)
      continue
    }
    for (const key of Object.keys(codes)) {
      if (!isResultKnown(context, key)) {
        problems.add(`${path}.result_codes.${key}`, 'Neither an analyte nor one of the loincs.')
      }
    }
    checkTestsTogether(context, tests, `${path}.tests`)
    for (const [index, test] of tests.entries()) {
      checkTest(context, lab, test, `${path}.tests[${index}]`)
    }
  }
}

function checkTestsTogether(
  { catalog, problems }: Context,
  tests: readonly CatalogTest[],
  path: string,
): void {
  for (const { index, first } of findRepeated(tests, ({ provider_id: id }) => id)) {
    problems.add(`${path}[${index}].provider_id`, `The same as in tests[${first}].`)
  }
  const slugOf = ({ provider_id: id, slug, name, concept }: CatalogTest) => {
    if (typeof id === 'string') return undefined
    return slug ?? toSlug(name ?? findEntry(catalog.concepts, concept ?? '')?.name ?? '')
  }
  for (const { index, first } of findRepeated(tests, slugOf)) {
    problems.add(`${path}[${index}]`, `Without a provider_id it has the slug of tests[${first}].`)
  }
  const parents = new Map(tests.map((test) => [test.provider_id, test]))
  for (const [index, { reflex_of: parentId, is_orderable: isOrderable }] of tests.entries()) {
    if (parentId === undefined) continue
    const parent = parents.get(parentId)
    if (parent === undefined) {
      problems.add(`${path}[${index}].reflex_of`, 'No test of this lab has that provider_id.')
    } else if (parent.reflex_of !== undefined) {
      problems.add(`${path}[${index}].reflex_of`, 'A reflex of a reflex is not supported.')
    }
    if (isOrderable === true) {
      problems.add(`${path}[${index}].is_orderable`, 'A reflex test cannot be orderable.')
    }
  }
}

function checkTest(context: Context, lab: CatalogLab, test: CatalogTest, path: string): void {
  const { catalog, problems } = context
  const concept = findEntry(catalog.concepts, test.concept ?? '')
  if (test.concept !== undefined && concept === undefined) {
    problems.add(`${path}.concept`, `There is no concept named ${test.concept}.`)
    return
  }
  if (test.name === undefined && concept === undefined) {
    problems.add(path, 'Needs a concept, or a name and results of its own.')
  }
  const sampleType = test.sample_type ?? concept?.sample_type
  if (sampleType === undefined) {
    problems.add(`${path}.sample_type`, 'Neither the test nor its concept has a sample type.')
  } else if (!lab.sample_types.includes(sampleType)) {
    problems.add(`${path}.sample_type`, `The lab does not take ${sampleType}.`)
  }
  if ((test.results ?? concept?.results ?? []).length === 0) {
    problems.add(`${path}.results`, 'Neither the test nor its concept has results.')
  }
  checkTestContents(context, test, path)
  checkStates(test.insurance_states ?? [], `${path}.insurance_states`, problems)
  const { common_tat_days: common, worst_case_tat_days: worst } = { ...concept, ...test }
  if (typeof common === 'number' && typeof worst === 'number' && common > worst) {
    problems.add(`${path}.worst_case_tat_days`, 'Less than common_tat_days.')
  }
}

type Contents = Pick<CatalogTest, 'results' | 'reflex_results' | 'questions'>

function checkTestContents(context: Context, contents: Contents, path: string): void {
  const { catalog, problems } = context
  const { results = [], reflex_results: reflexes = [], questions = [] } = contents
  for (const [name, keys] of Object.entries({ results, reflex_results: reflexes })) {
    for (const [index, key] of keys.entries()) {
      if (isResultKnown(context, key)) continue
      problems.add(`${path}.${name}[${index}]`, explainUnknownResult(key))
    }
  }
  for (const { index } of findRepeated([...results, ...reflexes], (key) => key)) {
    const field = index < results.length ? `results[${index}]` : 'reflex_results'
    problems.add(`${path}.${field}`, 'Appears twice in one test.')
  }
  for (const [index, key] of questions.entries()) {
    if (findEntry(catalog.questions, key) !== undefined) continue
    problems.add(`${path}.questions[${index}]`, `There is no question named ${key}.`)
  }
  const asked = questions.map((key) => findEntry(catalog.questions, key)?.code)
  for (const { index } of findRepeated(asked, (code) => code)) {
    problems.add(`${path}.questions[${index}]`, 'Its code appears twice in one test.')
  }
}

function isResultKnown({ catalog, loincs }: Context, key: string): boolean {
  return findEntry(catalog.analytes, key) !== undefined || (isLoincCode(key) && loincs.has(key))
}

function explainUnknownResult(key: string): string {
  if (!/^\d+-\d$/.test(key)) return `There is no analyte named ${key}.`
  return isLoincCode(key)
    ? `${key} is not among the loincs.`
    : `${key} is not a LOINC code: its check digit is wrong.`
}
