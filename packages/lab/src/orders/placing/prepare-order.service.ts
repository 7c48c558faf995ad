import { findUserInfo, holdUserReference, type UserReference } from '@salus/accounts/users'
import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset, formatInstant } from '@salus/kernel/time/instants'
import {
  type AoeAnswer,
  checkAoeAnswers,
  chooseCollectionMethod,
  findOrCreateOrderedTest,
  type LabAccountRow,
  type OrderSet,
  resolveOrderSet,
  selectLabAccount,
} from '../../catalog/index.ts'
import { type DraftBilling, decideBilling } from '../insurance/billing.service.ts'
import { readHealthInsurance } from '../insurance/health-insurance.ts'
import type { OrderCreate, OrderCreateOrReplace } from '../order-requests.schema.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { Consent, PatientAddress, PatientDetails, PhysicianInput } from '../people.schema.ts'
import { type Check, runCheck } from './checks.ts'
import type { OrderDraft } from './order-draft.ts'
import {
  checkMinor,
  type MaybeMinor,
  readConsents,
  readPatient,
  readPatientAddress,
  readPhysician,
} from './people.ts'
import { choosePhysician, findNetworkPhysician, isDelegated } from './physicians.service.ts'

/** Returns whether the environment has a gateway to a laboratory. */
export type IsConnected = (labSlug: string) => Promise<boolean>

/** Consents that the installation's physicians require (docs/contract/11-orders.md#consents). */
const REQUIRED_CONSENTS: readonly Consent['consentType'][] = [
  'hipaa-authorization',
  'terms-of-use',
  'telehealth-informed-consent',
]

/** Returns the user, who is not deleted meanwhile. @throws AppError 404 `user_not_found` */
export async function requireUser(scope: Scope, userId: string): Promise<UserReference> {
  const user = await holdUserReference(scope, userId)
  if (user === undefined) throw notFoundCode('user_not_found')
  return user
}

/** A request for an order with further inputs of its checks. */
export interface OrderRequest<Input = OrderCreate> {
  isConnected: IsConnected
  input: Input
  at: Date
  /** The replaced order, whose answers and insurance are used when the request has none. */
  former?: OrderRow | undefined
}

/** Results of the checks of an order; all are present when all checks passed. */
export interface OrderCheckResults {
  user?: UserReference | undefined
  patient?: PatientDetails | undefined
  address?: PatientAddress | undefined
  set?: OrderSet
  account?: LabAccountRow | undefined
  method?: CollectionMethod | undefined
  billing?: DraftBilling | undefined
  physician?: PhysicianInput | undefined
  consents?: Consent[]
  aoeAnswers?: AoeAnswer[] | undefined
}

/** Valid parts of a request with schema errors, on which some checks can run. */
export interface KnownParts {
  state?: string | undefined
  dob?: string | undefined
  proxy?: object | null | undefined
}

/**
 * Runs all checks of docs/contract/11-orders.md#post-v3order in its order: user, order set,
 * connection to the laboratory, account, method, billing, physician, consents, minors, order-entry
 * questions.
 * @throws AppError with the codes of docs/contract/11-orders.md#post-v3order
 */
export async function prepareOrder(
  tx: TransactionScope,
  request: OrderRequest,
): Promise<OrderDraft> {
  const { input, at } = request
  // Refusals are thrown, so all results are present here.
  const found = (await runOrderChecks(tx, request, runCheck)) as Required<OrderCheckResults>
  const { set, account, method, billing } = found
  return {
    userId: found.user.id,
    user: found.user,
    labTest: await findOrCreateOrderedTest(tx, set, method, at),
    account,
    method,
    markers: set.markers,
    patient: found.patient,
    address: found.address,
    shipping: null,
    physician: found.physician,
    ...billing,
    consents: found.consents,
    aoeAnswers: found.aoeAnswers,
    ...readRemarks(input),
    sampleId: null,
    isImported: false,
    isUnregisteredKit: false,
  }
}

/**
 * Runs the checks of prepareOrder through `check`, and skips those whose inputs are missing.
 * @param known valid parts of a request with schema errors
 */
export async function runOrderChecks(
  tx: TransactionScope,
  { isConnected, input, at, former }: OrderRequest<OrderCreateOrReplace>,
  check: Check,
  known: KnownParts = {},
): Promise<OrderCheckResults> {
  const today = dateAtOffset(at.getTime(), 0)
  const people = await readPeople(input, today, check)
  const { patient, address, healthInsurance, given } = people
  await check('activate_by', () => {
    if (input.activate_by && input.activate_by < today) throw activateByInPast()
  })
  const reads = beginReads(tx, input, given === null ? address?.state : undefined)
  const user = await check('user_id', () => reads.user)
  const userId = user?.id
  const set = await check('order_set', () => reads.set)
  const lab = set?.lab
  if (lab) await check('order_set', () => requireConnection(isConnected, lab))
  const account = set && (await check('lab_account_id', () => chooseAccount(tx, set)))
  const method =
    set &&
    (await check('collection_method', () => chooseCollectionMethod(set, input.collection_method)))
  const state = address?.state ?? known.state
  const whose = { userId, patient, address, healthInsurance }
  const billingInput = account && state && { account, state, markers: set.markers, ...whose }
  const billing = billingInput
    ? await decideBilling(tx, input, billingInput, former, check)
    : undefined
  const physician =
    billingInput &&
    (await check('physician', () => findPhysician(tx, given, billingInput, reads.network)))
  const consents = readConsents(input.consents ?? [], formatInstant(at))
  await check('consents', () => {
    requireConsents(consents, listRequiredConsents(tx, given !== null).length > 0)
  })
  const dob = patient?.dob ?? known.dob
  const person = dob && { dob, medical_proxy: patient?.medical_proxy ?? known.proxy ?? null }
  if (userId && person) {
    await check('patient_details.dob', () => requireAdultOrProxy(tx, userId, person, today))
  }
  const aoeAnswers =
    set &&
    (await check('aoe_answers', () => {
      const { aoe_answers: answers = keptAnswers(set, former?.aoe_answers ?? []) } = input
      return checkAoeAnswers(set.markers, answers ?? [], set.fasting)
    }))
  const ordered = { set, account, method, billing, physician, consents, aoeAnswers }
  return { user, patient, address, ...ordered } as OrderCheckResults
}

/**
 * Begins what depends on the request alone, so that the statements share a round trip. A check that
 * fails first does not wait for them.
 * @param state in which a physician of the network would have to be licensed
 */
function beginReads(tx: TransactionScope, input: OrderCreateOrReplace, state: string | undefined) {
  const { user_id: userId, lab_account_id: labAccountId } = input
  const { db, environment } = tx
  const reads = {
    user: userId === undefined ? undefined : requireUser(tx, userId),
    set: resolveOrderSet(tx, input, { labAccountId }),
    network: state === undefined ? undefined : findNetworkPhysician(db, environment.kind, state),
  }
  for (const read of Object.values(reads)) read?.catch(() => undefined)
  return reads
}

/** Returns the people and addresses, normalized. */
async function readPeople(input: OrderCreateOrReplace, today: string, check: Check) {
  const { patient_details: details, patient_address: place, physician } = input
  const patient = details && (await check('patient_details', () => readPatient(details, today)))
  const name = details ?? { first_name: '', last_name: '' }
  const address = place && (await check('patient_address', () => readPatientAddress(place, name)))
  const read = () => readHealthInsurance(input.health_insurance)
  const healthInsurance = (await check('health_insurance', read)) ?? null
  const given = physician ? await check('physician', () => readPhysician(physician)) : null
  return { patient, address, healthInsurance, given }
}

const chooseAccount = (tx: TransactionScope, { lab, accounts: known, ...set }: OrderSet) =>
  selectLabAccount(tx, { ...set, labId: lab.id, known, purpose: 'create' })

/** Returns undefined for an invalid physician, which was refused already. */
async function findPhysician(
  { db, environment }: TransactionScope,
  given: PhysicianInput | null | undefined,
  { account, state }: { account: LabAccountRow; state: string },
  network: ReturnType<typeof findNetworkPhysician> | undefined,
): Promise<PhysicianInput | undefined> {
  if (given === undefined) return undefined
  const choice = { isDelegated: isDelegated(account.delegated_flow), state, network }
  return choosePhysician(db, environment.kind, given, choice)
}

/** Checks that the order can be dispatched. @throws AppError 400 `lab_not_connected` */
export async function requireConnection(
  isConnected: IsConnected,
  { slug }: { slug: string },
): Promise<void> {
  if (await isConnected(slug)) return
  const message = 'The installation is not connected to the laboratory.'
  throw badRequest('lab_not_connected', message)
}

/** Returns the fields of an order that need no check against other data. */
function readRemarks(input: OrderCreate) {
  return {
    priority: input.priority ?? false,
    activateBy: input.activate_by ?? null,
    notes: input.notes ?? null,
    clinicalNotes: input.clinical_notes ?? null,
    passthrough: input.passthrough ?? null,
    creatorMemberId: input.creator_member_id ?? null,
  }
}

export const activateByInPast = () =>
  badRequest('activate_by_in_past', 'The activate_by date is in the past.')

/** Returns the consents without which an order of the environment is refused. */
export function listRequiredConsents(
  { environment }: Pick<Scope, 'environment'>,
  hasPhysician: boolean,
): Consent['consentType'][] {
  return environment.settings.consents_required && !hasPhysician ? [...REQUIRED_CONSENTS] : []
}

/** Checks the consents. @throws AppError 400 `consents_required` */
export function requireConsents(consents: readonly Consent[], areRequired: boolean): void {
  if (!areRequired) return
  const given = new Set(consents.map(({ consentType }) => consentType))
  const missing = REQUIRED_CONSENTS.filter((type) => !given.has(type))
  if (missing.length > 0) {
    throw badRequest('consents_required', 'Consents of the patient are missing.', { missing })
  }
}

/**
 * Checks that the patient is an adult or has a proxy.
 * @throws AppError 400 `minor_not_allowed`, `medical_proxy_required`
 */
export async function requireAdultOrProxy(
  scope: Scope,
  userId: string,
  patient: MaybeMinor,
  today: string,
): Promise<void> {
  const isAllowed = scope.environment.settings.minor_ordering_enabled
  const info = isAllowed ? await findUserInfo(scope, userId) : undefined
  checkMinor(patient, { today, isAllowed, hasStoredProxy: Boolean(info?.medical_proxy) })
}

type Asking = Pick<OrderSet['markers'][number], 'id' | 'questions'>
type Question = NonNullable<Asking['questions']>[number]

/**
 * Returns the answers of the replaced order to questions that the new one has too. Fasting is left
 * out, because it depends on the lab tests.
 */
function keptAnswers(
  { markers }: { markers: readonly Asking[] },
  answers: readonly AoeAnswer[],
): AoeAnswer[] {
  return answers.filter(({ marker_id, question_id }) => {
    const marker = markers.find(({ id }) => id === marker_id)
    const question = marker?.questions?.find(({ id }) => id === question_id)
    return question !== undefined && !isAnsweredByFasting(question)
  })
}

function isAnsweredByFasting(question: Question): boolean {
  const answer = (fasting: boolean) => {
    const questions = [{ ...question, required: false }]
    return checkAoeAnswers([{ id: 0, questions }], [], fasting)[0]?.answer
  }
  return answer(true) !== answer(false)
}
