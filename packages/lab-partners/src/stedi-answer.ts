import {
  BENEFIT_KINDS,
  type Benefit,
  type CoverageStatus,
  type EligibilityAnswer,
  type Rejection,
  rejectionOf,
} from '@salus/contracts/lab-partners'
import { type JsonRecord, recordsOf, textOf, textsOf, toRecord } from './partner-json.ts'

/** Reads an X12 271 in the JSON of Change Healthcare. */

/** EB01 of plans that pay: active, with full or partial risk, or under investigation. */
const ACTIVE = new Set(['1', '2', '3', '4', '5'])
/** EB01: inactive, and pending updates of eligibility or of the patient. */
const INACTIVE = new Set(['6', '7', '8'])

/** Returns the codes of all AAA segments, at whatever loop they are. */
export function listAaaCodes(body: JsonRecord): (string | null)[] {
  const { subscriber, provider, payer } = body
  const loops = [subscriber, provider, payer].map(toRecord)
  const nested = [...loops, ...recordsOf(body, 'dependents')].flatMap((loop) =>
    recordsOf(loop, 'aaaErrors'),
  )
  const own = recordsOf(body, 'errors').filter((error) => isAaaCode(textOf(error, 'code')))
  return [...new Set([...own, ...nested].map((error) => textOf(error, 'code')))]
}

const isAaaCode = (code: string | null): boolean => code !== null && /^\d{2}$/.test(code)

/** Returns why the payor did not answer; empty if it did. */
export function readRejections(body: JsonRecord): Rejection[] {
  const codes = listAaaCodes(body)
  if (codes.length > 0) return codes.map(rejectionOf)
  return recordsOf(body, 'errors').length > 0 ? [rejectionOf(null)] : []
}

/** Returns the answer, with the benefits of some types of services and those of no type. */
export function readAnswer(
  body: JsonRecord,
  rejections: Rejection[],
  serviceTypes: ReadonlySet<string>,
): EligibilityAnswer {
  const statuses = recordsOf(body, 'planStatus')
  const all = recordsOf(body, 'benefitsInformation')
  const plan = toRecord(body.planInformation)
  const dates = toRecord(body.planDateInformation)
  const ofPlan = textOf(dates, 'plan')
  return {
    status: rejections.length > 0 ? 'unknown' : readStatus(statuses, all, serviceTypes),
    planName: statuses.map((status) => textOf(status, 'planDetails')).find(Boolean) ?? null,
    groupNumber: textOf(plan, 'groupNumber') ?? textOf(toRecord(body.subscriber), 'groupNumber'),
    planBegins: dateOf(
      textOf(dates, 'planBegin') ?? textOf(dates, 'eligibilityBegin') ?? ofPlan?.split('-')[0],
    ),
    planEnds: dateOf(
      textOf(dates, 'planEnd') ?? textOf(dates, 'eligibilityEnd') ?? ofPlan?.split('-')[1],
    ),
    benefits: all.filter((benefit) => isOf(benefit, serviceTypes)).flatMap(readBenefit),
    rejections,
  }
}

/** A plan without types of services is about all of them. */
function isOf(record: JsonRecord, serviceTypes: ReadonlySet<string>): boolean {
  const codes = textsOf(record, 'serviceTypeCodes')
  return codes.length === 0 || codes.some((code) => serviceTypes.has(code))
}

function readStatus(
  statuses: JsonRecord[],
  benefits: JsonRecord[],
  serviceTypes: ReadonlySet<string>,
): CoverageStatus {
  const codes = [
    ...statuses.map((status) => ({ status, code: textOf(status, 'statusCode') })),
    ...benefits.map((status) => ({ status, code: textOf(status, 'code') })),
  ].flatMap(({ status, code }) => (code !== null && isOf(status, serviceTypes) ? [code] : []))
  if (codes.some((code) => ACTIVE.has(code))) return 'active'
  return codes.some((code) => INACTIVE.has(code)) ? 'inactive' : 'unknown'
}

const isKind = (code: string | null): code is keyof typeof BENEFIT_KINDS =>
  code !== null && Object.hasOwn(BENEFIT_KINDS, code)

function readBenefit(benefit: JsonRecord): Benefit[] {
  const code = textOf(benefit, 'code')
  if (!isKind(code)) return []
  const amount = numberOf(benefit, 'benefitAmount')
  return [
    {
      kind: BENEFIT_KINDS[code],
      serviceTypeCodes: textsOf(benefit, 'serviceTypeCodes'),
      coverageLevelCode: textOf(benefit, 'coverageLevelCode'),
      amountCents: amount === null ? null : Math.round(amount * 100),
      share: numberOf(benefit, 'benefitPercent'),
      period: textOf(benefit, 'timeQualifier'),
      isInNetwork: answerOf(textOf(benefit, 'inPlanNetworkIndicatorCode')),
      needsAuthorization: answerOf(textOf(benefit, 'authOrCertIndicator')),
      notes: recordsOf(benefit, 'additionalInformation').flatMap(
        (note) => textOf(note, 'description') ?? [],
      ),
    },
  ]
}

/** Returns a number of zero or more; null for anything else. */
function numberOf(record: JsonRecord, key: string): number | null {
  const text = textOf(record, key)
  return text !== null && /^\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) : null
}

/** `Y` and `N`; `W` (it does not matter) and `U` (unknown) are null. */
function answerOf(code: string | null): boolean | null {
  return code === 'Y' ? true : code === 'N' ? false : null
}

/** YYYYMMDD → YYYY-MM-DD; null for anything else. */
function dateOf(text: string | null | undefined): string | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  return year === undefined ? null : `${year}-${month}-${day}`
}
