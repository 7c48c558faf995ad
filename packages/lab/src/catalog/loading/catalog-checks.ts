import { isLoincCode, isNpi } from '@salus/kernel/check-digits'
import type { Catalog, CatalogLoinc, CatalogQuestion } from './catalog-format.schema.ts'
import { type CatalogProblems, findRepeated } from './catalog-problems.ts'
import { checkOrderables } from './orderable-checks.ts'
import { answerId, questionId } from './question-ids.ts'
import { checkStates } from './state-lists.ts'

/**
 * Adds the problems of a catalog that matches its schema.
 * @param loincs those of the catalog and of earlier loads
 */
export function checkCatalog(
  catalog: Catalog,
  loincs: ReadonlyMap<string, CatalogLoinc>,
  problems: CatalogProblems,
): void {
  for (const { index, first } of findRepeated(catalog.labs, ({ slug }) => slug)) {
    problems.add(`labs[${index}].slug`, `The same as labs[${first}].slug.`)
  }
  checkLoincs(catalog, problems)
  checkAnalytes(catalog, loincs, problems)
  checkQuestions(catalog, problems)
  checkOrderables(catalog, loincs, problems)
  checkLabAccounts(catalog, problems)
  checkPhysicians(catalog, problems)
}

function checkLoincs({ loincs = [] }: Catalog, problems: CatalogProblems): void {
  for (const [index, { code }] of loincs.entries()) {
    if (!isLoincCode(code)) {
      problems.add(
        `loincs[${index}].code`,
        `${code} is not a LOINC code: its check digit is wrong.`,
      )
    }
  }
  for (const { index, first } of findRepeated(loincs, ({ code }) => code)) {
    problems.add(`loincs[${index}].code`, `The same as loincs[${first}].code.`)
  }
}

function checkAnalytes(
  { analytes = {} }: Catalog,
  loincs: ReadonlyMap<string, CatalogLoinc>,
  problems: CatalogProblems,
): void {
  for (const [key, { loinc }] of Object.entries(analytes)) {
    const path = `analytes.${key}.loinc`
    if (loinc === undefined || loinc === null) continue
    if (!isLoincCode(loinc)) {
      problems.add(path, `${loinc} is not a LOINC code: its check digit is wrong.`)
    } else if (!loincs.has(loinc)) {
      problems.add(path, `${loinc} is not among the loincs.`)
    }
  }
}

function checkQuestions({ questions = {} }: Catalog, problems: CatalogProblems): void {
  const ids = new Map<number, string>()
  const claim = (id: number, path: string): void => {
    const holder = ids.get(id)
    if (holder !== undefined)
      problems.add(path, `Has the same generated id as ${holder}; choose another name.`)
    ids.set(id, path)
  }
  for (const [key, question] of Object.entries(questions)) {
    const path = `questions.${key}`
    claim(questionId(key), path)
    for (const [index, { code }] of distinctAnswers(question).entries()) {
      claim(answerId(key, code), `${path}.answers[${index}]`)
    }
    checkQuestion(question, path, problems)
  }
}

const distinctAnswers = ({ answers = [] }: CatalogQuestion) => [
  ...new Map(answers.map((answer) => [answer.code, answer])).values(),
]

/** Adds the problems of a question: its answers, and its default among them. */
export function checkQuestion(
  question: CatalogQuestion,
  path: string,
  problems: CatalogProblems,
): void {
  const { type, answers = [], default: preset } = question
  const isClosed = type === 'choice' || type === 'multi_choice'
  if (isClosed && answers.length === 0) {
    problems.add(`${path}.answers`, `A question of type ${type} needs answers.`)
  }
  if (!isClosed && answers.length > 0) {
    problems.add(`${path}.answers`, `A question of type ${type} has no answers to choose from.`)
  }
  for (const { index, first } of findRepeated(answers, ({ code }) => code)) {
    problems.add(`${path}.answers[${index}].code`, `The same as answers[${first}].code.`)
  }
  if (typeof preset !== 'string') return
  if (isClosed && !answers.some(({ code }) => code === preset)) {
    problems.add(`${path}.default`, 'Not the code of an answer.')
  }
  if (type === 'numeric' && !Number.isFinite(Number(preset))) {
    problems.add(`${path}.default`, 'Not a number.')
  }
}

function checkLabAccounts(
  { labs, lab_accounts: accounts = [] }: Catalog,
  problems: CatalogProblems,
): void {
  const slugs = new Set(labs.map(({ slug }) => slug))
  for (const [index, account] of accounts.entries()) {
    const path = `lab_accounts[${index}]`
    if (!slugs.has(account.lab)) problems.add(`${path}.lab`, `No lab has the slug ${account.lab}.`)
    for (const [billing, states] of Object.entries(account.allowed_billing)) {
      checkStates(states, `${path}.allowed_billing.${billing}`, problems)
    }
  }
  const keyOf = (account: (typeof accounts)[number]) =>
    `${account.lab} ${account.provider_account_id}`
  for (const { index, first } of findRepeated(accounts, keyOf)) {
    const path = `lab_accounts[${index}].provider_account_id`
    problems.add(path, `The same as in lab_accounts[${first}], of the same lab.`)
  }
}

function checkPhysicians(
  { network_physicians: physicians = [] }: Catalog,
  problems: CatalogProblems,
): void {
  for (const [index, { npi, licensed_states: states }] of physicians.entries()) {
    const path = `network_physicians[${index}]`
    if (!isNpi(npi)) problems.add(`${path}.npi`, 'Not an NPI: its check digit is wrong.')
    checkStates(states, `${path}.licensed_states`, problems)
  }
  for (const { index, first } of findRepeated(physicians, ({ npi }) => npi)) {
    problems.add(
      `network_physicians[${index}].npi`,
      `The same as network_physicians[${first}].npi.`,
    )
  }
}
