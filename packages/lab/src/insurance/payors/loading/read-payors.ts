import {
  ADDRESS_STATES,
  pathOfCell as at,
  CatalogProblems,
  checkStates,
  listStates,
  readCsvLines,
} from '../../../catalog/index.ts'
import { ZIP_PATTERN } from '../../people.schema.ts'
import {
  FEDERAL_CODES,
  type FederalCode,
  PAYOR_PROVIDERS,
  type PayorProvider,
} from '../payors.schema.ts'
import { toExternalId } from '../payors.service.ts'

/** A payor of a file, before checks against the others. */
export interface GivenPayor {
  line: number
  payor_code: string
  name: string
  aliases: string[]
  address: {
    first_line: string
    second_line: string
    city: string
    state: string
    zip: string
    country: string
    access_notes: null
  }
  external_ids: Partial<Record<PayorProvider, string[]>>
  federal_code: FederalCode | null
  plan_states: string[]
}

const REQUIRED = ['payor_code', 'name', 'first_line', 'city', 'state', 'zip'] as const
const OPTIONAL = ['aliases', 'second_line', 'country', 'federal_code', 'plan_states'] as const
const COLUMNS = { required: REQUIRED, optional: [...OPTIONAL, ...PAYOR_PROVIDERS] }
const ZIP = new RegExp(ZIP_PATTERN)
/** Codes of this form are reserved for payors of teams. */
const OWN_CODE = /^T[0-9A-HJKMNP-TV-Z]{9}$/
const MOST_CODE_LETTERS = 100
const MOST_LETTERS = 200

type Cells = Record<string, string>

/**
 * Reads a list of payors (docs/insurance.md#a-list-of-payors). The first line names the columns, in
 * any order.
 * @returns the read payors, and all problems by line
 */
export function readPayors(csv: string): { payors: GivenPayor[]; problems: CatalogProblems } {
  const problems = new CatalogProblems()
  const lines = readCsvLines(csv, COLUMNS, problems)
  const seen = new Map<string, number>()
  const payors = lines.map(({ record, line }) => {
    const payor = readPayor(record, line, problems)
    const { payor_code: code } = payor
    const first = seen.get(code)
    if (first !== undefined)
      problems.add(at(line, 'payor_code'), `${code} appears in line ${first}.`)
    else seen.set(code, line)
    return payor
  })
  checkPlans(payors, problems)
  return { payors, problems }
}

const listOf = (text: string | undefined): string[] => [
  ...new Set(
    (text ?? '')
      .split('|')
      .map((entry) => entry.trim())
      .filter(Boolean),
  ),
]

function readPayor(cells: Cells, line: number, problems: CatalogProblems): GivenPayor {
  const refuse = (column: string, message: string) => problems.add(at(line, column), message)
  for (const name of REQUIRED) if (!cells[name]) refuse(name, 'Is empty.')
  for (const name of ['name', 'first_line', 'second_line', 'city']) {
    if ((cells[name] ?? '').length > MOST_LETTERS) refuse(name, `Is longer than ${MOST_LETTERS}.`)
  }
  const { payor_code: code = '', name = '', state = '', zip = '' } = cells
  if (code.length > MOST_CODE_LETTERS) refuse('payor_code', `Is longer than ${MOST_CODE_LETTERS}.`)
  if (OWN_CODE.test(code))
    refuse('payor_code', 'Codes of T and nine letters are reserved for payors of teams.')
  if (FEDERAL_CODES.some((known) => known === code)) {
    refuse('payor_code', `${code} is a program with plans; put it in federal_code of each plan.`)
  }
  if (state && !ADDRESS_STATES.includes(state)) refuse('state', `${state} is no state.`)
  if (zip && !ZIP.test(zip)) refuse('zip', `${zip} is no ZIP code.`)
  const known = PAYOR_PROVIDERS.map((it) => [it, listOf(cells[it]).map(toExternalId)] as const)
  return {
    line,
    payor_code: code,
    name,
    aliases: listOf(cells.aliases),
    address: {
      first_line: cells.first_line ?? '',
      second_line: cells.second_line ?? '',
      city: cells.city ?? '',
      state,
      zip,
      country: cells.country || 'US',
      access_notes: null,
    },
    external_ids: Object.fromEntries(known.filter(([, ids]) => ids.length > 0)),
    ...readPlan(cells, line, problems),
  }
}

function readPlan(
  cells: Cells,
  line: number,
  problems: CatalogProblems,
): Pick<GivenPayor, 'federal_code' | 'plan_states'> {
  const given = cells.federal_code ?? ''
  const states = listOf(cells.plan_states)
  const federal = FEDERAL_CODES.find((code) => code === given) ?? null
  if (given && federal === null) {
    problems.add(at(line, 'federal_code'), `Should be ${FEDERAL_CODES.join(' or ')}.`)
  }
  if (federal !== null && states.length === 0) {
    problems.add(at(line, 'plan_states'), 'Give the states of the plan, or all.')
  }
  if (!given && states.length > 0) {
    problems.add(at(line, 'federal_code'), 'Required with plan_states.')
  }
  checkStates(states, at(line, 'plan_states'), problems)
  return { federal_code: federal, plan_states: listStates(states) }
}

/** Checks that a federal code has one plan in each state. */
function checkPlans(payors: readonly GivenPayor[], problems: CatalogProblems): void {
  const seen = new Map<string, number>()
  for (const { line, federal_code: code, plan_states: states } of payors) {
    if (code === null) continue
    for (const state of states) {
      const first = seen.get(`${code} ${state}`)
      if (first === undefined) seen.set(`${code} ${state}`, line)
      else
        problems.add(at(line, 'plan_states'), `${code} of ${state} is the plan of line ${first}.`)
    }
  }
}
