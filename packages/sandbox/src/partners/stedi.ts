import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EmulatorClock } from './partner-emulator.ts'

interface Person {
  firstName?: string
  lastName?: string
  dateOfBirth?: string
}

interface EligibilityRequest {
  controlNumber?: string
  tradingPartnerServiceId?: string
  provider?: { organizationName?: string; npi?: string }
  subscriber?: Person & { memberId?: string }
  dependents?: Person[]
  encounter?: { serviceTypeCodes?: string[]; dateOfService?: string }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '42': 'Unable to Respond at Current Time',
  '43': 'Invalid/Missing Provider Identification',
  '71': 'Patient Birth Date Does Not Match That for the Patient on the Database',
  '72': 'Invalid/Missing Subscriber/Insured ID',
  '73': 'Invalid/Missing Subscriber/Insured Name',
  '75': 'Subscriber/Insured Not Found',
  '76': 'Duplicate Subscriber/Insured ID Number',
  '79': 'Invalid Participant Identification',
}

/**
 * A clearing house in the shape of Stedi's real-time eligibility check. Every member is covered;
 * the end of the member id requests something else: `AAA75` that rejection, `INACTIVE` a plan that
 * ended.
 */
export function registerStedi(app: FastifyInstance, clock: EmulatorClock): void {
  app.post('/', (request, reply) => answer(request, reply, clock))
}

function answer(request: FastifyRequest, reply: FastifyReply, clock: EmulatorClock): FastifyReply {
  if (!/^Key \S+$/.test(request.headers.authorization ?? '')) {
    return reply.status(403).send({ message: 'Forbidden' })
  }
  const asked = (request.body ?? {}) as EligibilityRequest
  const { controlNumber = '', tradingPartnerServiceId, encounter, subscriber = {} } = asked
  if (!/^\d{1,9}$/.test(controlNumber) || !tradingPartnerServiceId) {
    return reply.status(400).send({ message: 'Invalid request', errors: [{ code: 'VALIDATION' }] })
  }
  const frame = {
    meta: { applicationMode: 'production', traceId: `TRACE${controlNumber}` },
    controlNumber,
    reassociationKey: controlNumber,
    tradingPartnerServiceId,
    provider: { providerName: asked.provider?.organizationName, npi: asked.provider?.npi },
    payer: { entityIdentifier: 'Payer', entityType: 'Non-Person Entity', name: 'SAMPLE PAYOR' },
  }
  const rejected = findRejection(asked)
  if (rejected !== undefined) {
    return reply.send({ ...frame, subscriber, errors: [toError(rejected)] })
  }
  const year = clock.now().getUTCFullYear()
  const services = encounter?.serviceTypeCodes ?? ['30']
  const isActive = !subscriber.memberId?.endsWith('INACTIVE')
  return reply.send({
    ...frame,
    subscriber: { ...subscriber, groupNumber: 'G-1000' },
    ...(asked.dependents !== undefined && { dependents: asked.dependents }),
    planInformation: { groupNumber: 'G-1000' },
    planDateInformation: isActive
      ? { planBegin: `${year}0101`, planEnd: `${year}1231` }
      : { planBegin: `${year - 1}0101`, planEnd: `${year - 1}1231` },
    planStatus: [
      {
        statusCode: isActive ? '1' : '6',
        status: isActive ? 'Active Coverage' : 'Inactive',
        planDetails: 'SAMPLE CHOICE PLUS',
        serviceTypeCodes: ['30'],
      },
    ],
    benefitsInformation: isActive ? makeBenefits(services) : [],
    errors: [],
  })
}

function findRejection({ provider, subscriber, dependents = [] }: EligibilityRequest) {
  const { memberId = '' } = subscriber ?? {}
  const requested = /AAA(\d\d)$/.exec(memberId)?.[1]
  if (requested !== undefined) return requested
  if (!/^\d{10}$/.test(provider?.npi ?? '')) return '43'
  if (memberId === '') return '72'
  const patient = dependents[0] ?? subscriber
  if (!patient?.firstName || !patient.lastName) return '73'
  return /^\d{8}$/.test(patient.dateOfBirth ?? '') ? undefined : '71'
}

const toError = (code: string) => ({
  field: 'AAA',
  code,
  description: DESCRIPTIONS[code] ?? 'Rejected',
  followupAction: code === '42' ? 'Resubmission Allowed' : 'Please Correct and Resubmit',
  location: 'Loop 2100C',
  possibleResolutions: '',
})

function makeBenefits(serviceTypeCodes: string[]): object[] {
  const individual = { coverageLevelCode: 'IND', coverageLevel: 'Individual' }
  const year = { timeQualifierCode: '23', timeQualifier: 'Calendar Year' }
  const inNetwork = { inPlanNetworkIndicatorCode: 'Y', inPlanNetworkIndicator: 'Yes' }
  const outside = { inPlanNetworkIndicatorCode: 'N', inPlanNetworkIndicator: 'No' }
  return [
    {
      code: '1',
      name: 'Active Coverage',
      ...individual,
      serviceTypeCodes,
      insuranceTypeCode: 'PR',
      insuranceType: 'Preferred Provider Organization (PPO)',
    },
    {
      code: 'B',
      name: 'Co-Payment',
      ...individual,
      serviceTypeCodes,
      timeQualifierCode: '27',
      timeQualifier: 'Visit',
      benefitAmount: '20',
      ...inNetwork,
      additionalInformation: [{ description: 'LABORATORIES OF THE NETWORK ONLY' }],
    },
    {
      code: 'A',
      name: 'Co-Insurance',
      ...individual,
      serviceTypeCodes,
      benefitPercent: '0.4',
      ...outside,
      authOrCertIndicator: 'Y',
    },
    {
      code: 'C',
      name: 'Deductible',
      ...individual,
      serviceTypeCodes: ['30'],
      ...year,
      benefitAmount: '1500.50',
      ...inNetwork,
    },
    {
      code: 'G',
      name: 'Out of Pocket (Stop Loss)',
      ...individual,
      serviceTypeCodes: ['30'],
      ...year,
      benefitAmount: '6000',
      ...inNetwork,
    },
    {
      code: 'B',
      name: 'Co-Payment',
      ...individual,
      serviceTypeCodes: ['98'],
      serviceTypes: ['Professional (Physician) Visit - Office'],
      benefitAmount: '35',
      ...inNetwork,
    },
    {
      code: 'U',
      name: 'Contact Following Entity for Eligibility or Benefit Information',
      serviceTypeCodes,
    },
  ]
}
