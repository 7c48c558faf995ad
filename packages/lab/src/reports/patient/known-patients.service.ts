import { findUser, findUserInfo } from '@salus/accounts/users'
import type { Scope } from '@salus/kernel/scope'
import { listPolicies } from '../../insurance/index.ts'
import { listOrdersOfUser } from '../../orders/index.ts'
import { type KnownPatient, toSex } from '../../patients/index.ts'
import { listMetadataCorrections } from '../review/reviews.repository.ts'
import { listReadMetadata } from './known-patients.repository.ts'
import { readPrintedPatient } from './printed-patient.ts'

const MOST_POLICIES = 20
const MOST_REPORTS = 20
/** Statuses of orders that may have been placed for the wrong person. */
const GIVEN_UP = new Set(['cancelled', 'do_not_process'])

interface Person {
  first_name: string
  last_name: string
  dob: string
  gender: string
}

const toKnown = (
  source: KnownPatient['source'],
  { first_name, last_name, dob, gender }: Person,
  isSure = true,
): KnownPatient => ({ source, first_name, last_name, days: [dob], sex: toSex(gender), isSure })

/**
 * Returns the identity of a person in all stored data, the most reliable first: demographics, the
 * birth date of the user, patients of orders, policies that insure the person, and earlier reports.
 * @param exceptId id of the report that is compared
 */
export async function listKnownPatients(
  scope: Scope,
  userId: string,
  exceptId: string,
): Promise<KnownPatient[]> {
  const [info, user, orders, policies, reports] = await Promise.all([
    findUserInfo(scope, userId),
    findUser(scope, userId),
    listOrdersOfUser(scope, userId),
    listPolicies(scope, userId, { before: null, limit: MOST_POLICIES }),
    listEarlierPatients(scope, userId, exceptId),
  ])
  const birthDate = user?.fallback_birth_date
  const all: KnownPatient[] = [
    ...(info ? [toKnown('demographics', info)] : []),
    ...(birthDate ? [{ ...NAMELESS, days: [birthDate] }] : []),
    ...orders.flatMap(({ patient_details: patient, last_status: status }) =>
      patient === null ? [] : [toKnown('order', patient, !GIVEN_UP.has(status))],
    ),
    ...policies
      .filter(({ relationship }) => relationship === 'Self')
      .map(({ insured }) => toKnown('insurance', insured)),
    ...reports,
  ]
  const once = new Map(all.map((patient) => [JSON.stringify(patient), patient]))
  return [...once.values()]
}

const NAMELESS = {
  source: 'fallback_birth_date',
  first_name: null,
  last_name: null,
  sex: null,
  isSure: true,
} as const

/**
 * Returns the patients of earlier reports; only a confirmation by a reviewer makes them reliable.
 */
async function listEarlierPatients(
  scope: Scope,
  userId: string,
  exceptId: string,
): Promise<KnownPatient[]> {
  const heads = await listReadMetadata(scope, userId, { exceptId, limit: MOST_REPORTS })
  if (heads.length === 0) return []
  const corrections = await listMetadataCorrections(
    scope,
    heads.map(({ id }) => id),
  )
  return heads.map(({ id, patient_match: match, header, language }) => {
    const ofJob = corrections.filter(({ job_id }) => job_id === id)
    const { first_name, last_name, birth, sex } = readPrintedPatient({ header, language }, ofJob)
    const isSure = match?.is_confirmed === true
    return { source: 'lab_report', first_name, last_name, days: birth.days, sex, isSure }
  })
}
