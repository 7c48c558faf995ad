import type {
  PerformingLaboratory,
  ReportedTime,
  Requisition,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { Temporal } from 'temporal-polyfill'
import type { Person } from '../analytes/reference-interval.ts'
import { makeRequisitionNumber, makeSpecimenNumber } from '../sample-numbers.ts'
import { createRandom, digitsFrom } from '../seeded-random.ts'
import { ZONE_BY_STATE } from './us-state-zones.registry.ts'

const YEAR_MS = 365.2425 * DAY_MS
/** Used for a person whose age is unknown. */
const USUAL_AGE_YEARS = 40

/**
 * Returns numbers that were measured at the collection, from the answers by the codes of their
 * questions.
 */
function readNumberAnswer({ answers }: Requisition, code: string): number | undefined {
  const answer = answers.find(({ question_code }) => question_code === code)
  const value = Number(answer?.answer)
  return answer === undefined || !(value > 0) ? undefined : value
}

const CM_PER_INCH = 2.54
/** A greater height is one in cm, whatever unit the question has. */
const MOST_INCHES = 84

function heightTold(requisition: Requisition): { heightCm?: number } {
  const answer = readNumberAnswer(requisition, 'HEIGHT')
  if (answer === undefined || answer < 15 || answer > 250) return {}
  return { heightCm: answer > MOST_INCHES ? answer : answer * CM_PER_INCH }
}

/** Returns the facts of the patient that decide which intervals apply. */
export function personOf(requisition: Requisition, collectedAt: Date): Person {
  const { patient } = requisition
  if (patient === null) return { sex: null, ageYears: USUAL_AGE_YEARS }
  const ageYears = (collectedAt.getTime() - Date.parse(patient.dob)) / YEAR_MS
  const gender = patient.gender.toLowerCase()
  return {
    sex: gender === 'female' || gender === 'male' ? gender : null,
    ageYears: Number.isNaN(ageYears) ? USUAL_AGE_YEARS : Math.max(0, ageYears),
    ...heightTold(requisition),
  }
}

const USUAL_URINE_ML = 1500

/**
 * Returns the urine volume of 24 hours in mL: as answered with the order; a child's grows with the
 * years.
 */
function urineVolumeOf(requisition: Requisition, { ageYears }: Person): number | undefined {
  const answer = readNumberAnswer(requisition, 'TOTVOL')
  if (answer !== undefined) return Math.round(answer)
  if (ageYears >= 18) return undefined
  return Math.round((USUAL_URINE_ML * (0.3 + (0.7 * ageYears) / 18)) / 10) * 10
}

/**
 * Returns the values, by analyte, that are not sampled because they were measured at the
 * collection.
 */
export function listGivenValues(
  requisition: Requisition,
  person: Person,
): ReadonlyMap<string, number> {
  const volume = urineVolumeOf(requisition, person)
  return new Map(volume === undefined ? [] : [['urine_volume_24_hours', volume]])
}

/** Returns an instant in the local time of the patient. */
function timeOf(at: Date, { address }: Requisition): ReportedTime {
  const zone = ZONE_BY_STATE[address?.state.toUpperCase() ?? ''] ?? 'UTC'
  const instant = Temporal.Instant.fromEpochMilliseconds(at.getTime())
  const { offsetNanoseconds } = instant.toZonedDateTimeISO(zone)
  const timestamp = instant.toString({ timeZone: 'UTC', smallestUnit: 'second' })
  return { timestamp, timezone_offset: offsetNanoseconds / 1e9 }
}

/**
 * Samples arrive some hours after their collection, within the first half of the time to the
 * report.
 */
function receivedAt(collectedAt: Date, reportedAt: Date, seed: string): Date {
  const [from, to] = [collectedAt.getTime(), reportedAt.getTime()]
  const hours = createRandom(`${seed}|received`).between(4, 16)
  return new Date(Math.max(from, Math.min(from + hours * HOUR_MS, (from + to) / 2)))
}

/** Returns a fictitious location under the name of the laboratory. */
function performingLaboratory(name: string): PerformingLaboratory {
  return {
    name,
    phone_number: '+12025550142',
    medical_director: 'Robin Example, MD',
    address: {
      first_line: '100 Sandbox Way',
      second_line: null,
      city: 'Springfield',
      state: 'IL',
      zip: '62701',
      country: 'US',
    },
  }
}

/** Key of the only performing laboratory of a sandbox report. */
export const PERFORMING_LABORATORY = 'SBX'

export interface FrameInput {
  requisition: Requisition
  status: ResultMessage['status']
  collectedAt: Date
  reportedAt: Date
  labName: string
  accountId: string
}

/** Makes a report without results. */
export function makeFrame(input: FrameInput): ResultMessage {
  const { requisition, collectedAt, reportedAt } = input
  const { orderId: seed, labSlug, patient, physician } = requisition
  const volume = readNumberAnswer(requisition, 'TOTVOL')
  return {
    status: input.status,
    account_id: input.accountId,
    sample_id: requisition.sampleId ?? makeRequisitionNumber(seed, labSlug),
    specimen_number: makeSpecimenNumber(seed, labSlug),
    patient: {
      first_name: patient?.first_name ?? null,
      last_name: patient?.last_name ?? null,
      dob: patient?.dob ?? null,
      gender: patient?.gender ?? null,
      patient_id: digitsFrom(`${seed}|patient`, 9),
    },
    ordering_physician:
      physician === null ? null : `${physician.first_name} ${physician.last_name}`,
    collected_at: timeOf(collectedAt, requisition),
    received_at: timeOf(receivedAt(collectedAt, reportedAt, seed), requisition),
    reported_at: timeOf(reportedAt, requisition),
    fasting: requisition.fasting,
    notes: input.status === 'partial' ? 'Partial report: other results will follow.' : null,
    total_volume: volume === undefined ? null : `${volume} mL`,
    ordered_provider_ids: requisition.tests.flatMap(({ provider_id }) => provider_id ?? []),
    results: [],
    missing_results: [],
    performing_laboratories: { [PERFORMING_LABORATORY]: performingLaboratory(input.labName) },
    pdf: null,
  }
}
