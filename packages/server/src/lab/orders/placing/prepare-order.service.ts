import { findUserInfo, holdUserReference } from '../../../accounts/users/index.ts'
import { badRequest, notFoundCode } from '../../../platform/errors.ts'
import type { Scope, TransactionScope } from '../../../platform/scope.ts'
import { dateAtOffset, formatInstant } from '../../../platform/time/instants.ts'
import {
  type AoeAnswer,
  checkAoeAnswers,
  decideMethod,
  findOrMakeOrderedTest,
  type OrderSet,
  resolveOrderSet,
  selectLabAccount,
} from '../../catalog/index.ts'
import { settleBilling } from '../insurance/billing.service.ts'
import { readHealthInsurance } from '../insurance/health-insurance.ts'
import type { OrderCreate } from '../order-requests.schema.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { Consent, PatientDetails } from '../people.schema.ts'
import type { OrderDraft } from './order-draft.ts'
import {
  checkMinor,
  readConsents,
  readPatient,
  readPatientAddress,
  readPhysician,
} from './people.ts'
import { choosePhysician, isDelegated } from './physicians.service.ts'

/** Whether something leads to a laboratory from the environment. */
export type IsConnected = (labSlug: string) => boolean

/**
 * Consents without which the installation's physicians do not order
 * (docs/contract/11-orders.md#consents).
 */
const REQUIRED_CONSENTS: readonly Consent['consentType'][] = [
  'hipaa-authorization',
  'terms-of-use',
  'telehealth-informed-consent',
]

/** @throws AppError 404 `user_not_found` */
export async function requireUser(scope: Scope, userId: string): Promise<string> {
  const user = await holdUserReference(scope, userId)
  if (user === undefined) throw notFoundCode('user_not_found')
  return user.id
}

/**
 * Everything that docs/contract/11-orders.md#post-v3order checks before an order is stored, in its
 * order: user, order set, whether the laboratory can be reached, account, method, billing,
 * physician, consents, minors, order-entry questions.
 * @param former the order that this one replaces: its answers and insurance, where the request gives none
 * @throws AppError with the codes of docs/contract/11-orders.md#post-v3order
 */
export async function prepareOrder(
  tx: TransactionScope,
  isConnected: IsConnected,
  input: OrderCreate,
  at: Date,
  former?: OrderRow,
): Promise<OrderDraft> {
  const { environment } = tx
  const today = dateAtOffset(at.getTime(), 0)
  const patient = readPatient(input.patient_details, today)
  const address = readPatientAddress(input.patient_address, patient)
  const healthInsurance = readHealthInsurance(input.health_insurance)
  const given = input.physician ? readPhysician(input.physician) : null
  if (input.activate_by && input.activate_by < today) throw activateByInPast()

  const userId = await requireUser(tx, input.user_id)
  const set = await resolveOrderSet(tx, input, { labAccountId: input.lab_account_id })
  requireConnection(isConnected, set.lab)
  const { markers } = set
  const account = await selectLabAccount(tx, {
    labId: set.lab.id,
    labAccountId: set.labAccountId,
    purpose: 'create',
    markers,
  })
  const method = decideMethod(set, input.collection_method)
  const whose = { userId, patient, address, healthInsurance }
  const billing = await settleBilling(tx, input, { account, markers, ...whose }, former)
  const choice = { isDelegated: isDelegated(account.delegated_flow), state: address.state }
  const physician = await choosePhysician(tx.db, environment.kind, given, choice)
  const consents = readConsents(input.consents ?? [], formatInstant(at))
  requireConsents(consents, environment.settings.consents_required && given === null)
  await requireAdultOrProxy(tx, userId, patient, today)
  const { aoe_answers: answers = answersStillAsked(set, former?.aoe_answers ?? []) } = input
  const aoeAnswers = checkAoeAnswers(markers, answers ?? [], set.fasting)
  return {
    userId,
    labTest: await findOrMakeOrderedTest(tx, set, method, at),
    account,
    method,
    markers,
    patient,
    address,
    shipping: null,
    physician,
    ...billing,
    consents,
    aoeAnswers,
    ...readRemarks(input),
    sampleId: null,
    isImported: false,
    isUnregisteredKit: false,
  }
}

/**
 * An order that could be handed over to nobody is refused at once.
 * @throws AppError 400 `lab_not_connected`
 */
export function requireConnection(isConnected: IsConnected, { slug }: { slug: string }): void {
  if (isConnected(slug)) return
  const message = 'The installation has no connection to the laboratory, so it takes no orders.'
  throw badRequest('lab_not_connected', message)
}

/** What a request says of an order that needs no checking against anything else. */
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

/** @throws AppError 400 `consents_required` */
export function requireConsents(consents: readonly Consent[], areRequired: boolean): void {
  if (!areRequired) return
  const given = new Set(consents.map(({ consentType }) => consentType))
  const missing = REQUIRED_CONSENTS.filter((type) => !given.has(type))
  if (missing.length > 0) {
    throw badRequest('consents_required', 'Consents of the patient are missing.', { missing })
  }
}

/** @throws AppError 400 `minor_not_allowed`, `medical_proxy_required` */
export async function requireAdultOrProxy(
  scope: Scope,
  userId: string,
  patient: PatientDetails,
  today: string,
): Promise<void> {
  const isAllowed = scope.environment.settings.minor_ordering_enabled
  const info = isAllowed ? await findUserInfo(scope, userId) : undefined
  checkMinor(patient, { today, isAllowed, hasStoredProxy: Boolean(info?.medical_proxy) })
}

type Asking = Pick<OrderSet['markers'][number], 'id' | 'questions'>
type Question = NonNullable<Asking['questions']>[number]

/**
 * Of the answers of an order that is replaced, those to questions that its replacement asks too.
 * Fasting is left out: the lab tests say it, and other ones may say otherwise.
 */
function answersStillAsked(
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
