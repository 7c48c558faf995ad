import { AppError, InputError, type InputProblem } from '@salus/kernel/errors'
import { ERROR_TYPES } from '@salus/kernel/errors.registry'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { ADDRESS_STATES, listAllowedBillings, listQuestions } from '../../catalog/index.ts'
import { mergeClinicalNotes } from '../dispatch/requisition.service.ts'
import type { OrderCreateOrReplace } from '../order-requests.schema.ts'
import type { Check } from './checks.ts'
import type { OrderDemands, OrderProblem, OrderValidation } from './order-validation.schema.ts'
import { choosePhysician, isDelegated } from './physicians.service.ts'
import {
  fillFromReplacedOrder,
  findReplacedOrder,
  requireOrderCreate,
} from './place-order.service.ts'
import {
  type IsConnected,
  type KnownParts,
  listRequiredConsents,
  type OrderCheckResults,
  runOrderChecks,
} from './prepare-order.service.ts'

/** Thrown to roll back the transaction. */
class Undo extends Error {}

/**
 * Runs the checks of placing in a transaction that is rolled back, and returns all problems and
 * what the order requires (docs/contract/11-orders.md#post-v3ordervalidate).
 * @param shape schema errors of the request; the rest of the request is checked without those parts
 * @throws AppError for errors that do not concern the order, such as a code set that is still
 *   loading
 */
export async function validateOrder(
  scope: Scope,
  isConnected: IsConnected,
  body: OrderCreateOrReplace,
  shape: InputError | undefined,
): Promise<OrderValidation> {
  const problems = new ProblemList(shape?.problems ?? [])
  let demands: OrderDemands | null = null
  const work = scope.transaction(async (tx) => {
    const found = await runChecks(tx, isConnected, body, problems)
    demands = await showDemands(tx, found.examination, found)
    throw new Undo()
  })
  await work.catch((error) => {
    if (!(error instanceof Undo)) throw error
  })
  const list = problems.list()
  return { is_valid: list.length === 0, problems: list, demands }
}

interface Found {
  examination: OrderCheckResults
  /** State of the patient, if known. */
  state: string | undefined
  hasPhysician: boolean
}

async function runChecks(
  tx: TransactionScope,
  isConnected: IsConnected,
  body: OrderCreateOrReplace,
  problems: ProblemList,
): Promise<Found> {
  const at = environmentNow(tx)
  const whole = Object.entries(body).filter(([field]) => !problems.isAbout(field))
  const given: OrderCreateOrReplace = Object.fromEntries(whole)
  const parent = await problems.check('recreate_from_order_id', () => findReplacedOrder(tx, given))
  const input = parent ? fillFromReplacedOrder(parent, given, at) : given
  await problems.check('body', () => requireOrderCreate(input))
  const known = readKnownParts(body, problems)
  const request = { isConnected, input, at, former: parent }
  const examination = await runOrderChecks(tx, request, problems.check, known)
  const state = examination.address?.state ?? known.state
  return { examination, state, hasPhysician: Boolean(body.physician ?? input.physician) }
}

/**
 * Returns the state, the birth date and the proxy, if only other fields beside them are invalid.
 */
function readKnownParts(body: OrderCreateOrReplace, problems: ProblemList): KnownParts {
  const { patient_details: details, patient_address: address } = body
  const isRight = (field: string) => !problems.isAbout(field)
  const state = isRight('patient_address.state') ? address?.state : undefined
  const dob = isRight('patient_details.dob') ? details?.dob : undefined
  const isState = state !== undefined && ADDRESS_STATES.includes(state)
  return { state: isState ? state : undefined, dob, proxy: details?.medical_proxy }
}

async function showDemands(
  tx: TransactionScope,
  { set, account, method }: OrderCheckResults,
  { state, hasPhysician }: Found,
): Promise<OrderDemands | null> {
  if (set === undefined) return null
  const { lab, markers, fasting } = set
  const { id, slug, name, collection_methods: methods } = lab
  const names = new Map(markers.map((marker) => [marker.id, marker.name]))
  const isOwn = account ? isDelegated(account.delegated_flow) : false
  const notes = mergeClinicalNotes(slug, 'notes', null)
  return {
    lab: { id, slug, name, collection_methods: methods },
    markers: markers.map((marker) => ({ id: marker.id, name: marker.name })),
    collection_method: method ?? null,
    lab_account: account
      ? {
          id: account.id,
          account_name: account.account_name,
          is_delegated: isOwn,
          default_clinical_notes: account.default_clinical_notes,
        }
      : null,
    billing_types: account && state ? listAllowedBillings([account], state) : null,
    needs_physician: account && state ? await needsPhysician(tx, isOwn, state) : null,
    needs_fasting: fasting,
    consents: listRequiredConsents(tx, hasPhysician),
    questions: listQuestions(markers, fasting).map((asked) => ({
      ...asked,
      marker_name: names.get(asked.marker_id) ?? '',
    })),
    notes_are_forwarded: notes !== null,
  }
}

async function needsPhysician(
  { db, environment }: TransactionScope,
  isOwn: boolean,
  state: string,
): Promise<boolean> {
  try {
    await choosePhysician(db, environment.kind, null, { isDelegated: isOwn, state })
    return false
  } catch (error) {
    if (error instanceof AppError && error.errorType === 'physician_required') return true
    throw error
  }
}

/** Collects the refusals, one for each invalid part of the request. */
class ProblemList {
  readonly #ofShape: readonly OrderProblem[]
  readonly #ofRules: OrderProblem[] = []

  constructor(shape: readonly InputProblem[]) {
    this.#ofShape = shape.map(toProblem)
  }

  list(): OrderProblem[] {
    return [...this.#ofShape, ...this.#ofRules]
  }

  /** Returns true when a field, or a part of it, has a schema error. */
  isAbout(field: string): boolean {
    return this.#ofShape.some((problem) => `${problem.field}.`.startsWith(`${field}.`))
  }

  readonly check: Check = async (field, act) => {
    if (this.isAbout(field)) return undefined
    try {
      return await act()
    } catch (error) {
      // An internal error is not a problem of the order.
      if (!(error instanceof AppError) || error.status >= 500) throw error
      const problems =
        error instanceof InputError ? error.problems.map(toProblem) : [toRefusal(field, error)]
      this.#ofRules.push(...problems.filter((problem) => !this.isAbout(problem.field)))
      return undefined
    }
  }
}

const toProblem = ({ loc, msg, type }: InputProblem): OrderProblem => ({
  field: loc.slice(1).join('.'),
  error_type: type,
  message: msg,
  detail: {},
})

function toRefusal(field: string, { status, errorType, message, extra }: AppError): OrderProblem {
  // The message of a 404 is its code.
  const words = status === 404 ? ERROR_TYPES[errorType][1] : message
  return { field, error_type: errorType, message: words, detail: extra }
}
