import { randomInt } from 'node:crypto'
import {
  type CoveredPerson,
  type EligibilityAnswer,
  type EligibilityGateway,
  type EligibilityQuestion,
  PartnerFailure,
} from '@salus/contracts/lab-partners'
import { callPartner, type PartnerAnswer, type Send } from './partner-http.ts'
import { isRecord, type JsonRecord } from './partner-json.ts'
import type { StediSettings } from './partner-settings.ts'
import { listAaaCodes, readAnswer, readRejections } from './stedi-answer.ts'

/** The clearing house takes ids of its own list, and those of the list that it replaces. */
const ID_LISTS = ['stedi', 'change_healthcare'] as const

/**
 * Creates the gateway to Stedi's real-time eligibility check in the JSON of Change Healthcare
 * (https://www.stedi.com/docs/healthcare/api-reference/post-healthcare-eligibility-legacy): one
 * question, an X12 270, and its answer, a 271, in one request. Stedi waits for the payor, and may
 * take longer than we do.
 */
export function createStediGateway(settings: StediSettings, send: Send): EligibilityGateway {
  return {
    reaches: (payorIds) => findPayorId(payorIds) !== undefined,
    async check(question, signal) {
      const answer = await callPartner('stedi', send, {
        method: 'POST',
        url: settings.url,
        headers: { authorization: `Key ${settings.apiKey.reveal()}` },
        body: toRequest(settings, question),
        signal,
      })
      return toAnswer(answer, question)
    },
  }
}

function findPayorId(payorIds: EligibilityQuestion['payorIds']): string | undefined {
  return ID_LISTS.flatMap((list) => payorIds[list] ?? [])[0]
}

/** X12 dates have no hyphens. */
const toX12Date = (date: string): string => date.replaceAll('-', '')

function toRequest({ organizationName, npi }: StediSettings, question: EligibilityQuestion) {
  const { memberId, subscriber, dependent, serviceTypeCodes, dateOfService } = question
  return {
    controlNumber: String(randomInt(1e8, 1e9)),
    tradingPartnerServiceId: findPayorId(question.payorIds),
    provider: { organizationName, npi },
    subscriber: { memberId, ...toPerson(subscriber) },
    ...(dependent !== null && { dependents: [toPerson(dependent)] }),
    encounter: {
      serviceTypeCodes,
      ...(dateOfService !== null && { dateOfService: toX12Date(dateOfService) }),
    },
  }
}

function toPerson({ firstName, lastName, birthDate, gender }: CoveredPerson) {
  return {
    firstName,
    lastName,
    ...(birthDate !== null && { dateOfBirth: toX12Date(birthDate) }),
    ...(gender !== null && { gender: gender === 'female' ? 'F' : 'M' }),
  }
}

function toAnswer(
  { status, body }: PartnerAnswer,
  { serviceTypeCodes }: EligibilityQuestion,
): EligibilityAnswer {
  if (!isRecord(body)) throw new PartnerFailure('stedi', 'malformed')
  const rejections = readRejections(body)
  // A rejection of the payor has status 200 or 400; other errors are about our request.
  if (status !== 200 && listAaaCodes(body).length === 0)
    throw new PartnerFailure('stedi', 'refused')
  if (rejections.length === 0 && !hasAnswer(body)) throw new PartnerFailure('stedi', 'malformed')
  return readAnswer(body, rejections, new Set([...serviceTypeCodes, '30']))
}

const hasAnswer = ({ planStatus, benefitsInformation }: JsonRecord): boolean =>
  Array.isArray(planStatus) || Array.isArray(benefitsInformation)
