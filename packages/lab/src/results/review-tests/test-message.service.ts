import type { LabSimulator, Requisition, ResultMessage } from '@salus/contracts/lab-gateway'
import { badRequest } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { findLab, findLabBySlug, type LabRow, listOrderedMarkers } from '../../catalog/index.ts'
import { makeRequisition, type OrderRow } from '../../orders/index.ts'
import { listMarkerIds, listPlainLabTests } from './review-tests.repository.ts'
import type { UnmatchedResultTestCreate } from './review-tests.schema.ts'
import type { ReviewTestCase } from './test-cases.registry.ts'

type LabTest = Awaited<ReturnType<typeof listPlainLabTests>>[number]

/** Laboratories to choose another one from. */
const USUAL_LABS = ['quest', 'labcorp', 'bioreference']

/**
 * Returns the saved test of a managed run: the named one, or the only one.
 * @throws AppError 400 `lab_test_required`, `lab_test_unsuitable`
 */
export async function chooseLabTest(scope: Scope, labTestId: string | null): Promise<LabTest> {
  const tests = await listPlainLabTests(scope)
  const [only, ...others] =
    labTestId === null ? tests : tests.filter(({ id }) => id === labTestId.toLowerCase())
  if (only === undefined) {
    throw badRequest(
      'lab_test_unsuitable',
      'There is no active lab test for walk-in or on-site collection with this id.',
    )
  }
  if (others.length > 0)
    throw badRequest('lab_test_required', 'Several lab tests are possible. Specify one.')
  return only
}

/** The result message of a run, and its laboratory. */
export interface TestMessage {
  message: ResultMessage
  labSlug: string
}

/** Data for the result message of a run. */
export interface TestMessageFacts {
  runId: string
  order: OrderRow | undefined
  at: Date
  simulator: LabSimulator
}

/** Creates the result message of the case. */
export async function makeTestMessage(
  scope: Scope,
  testCase: ReviewTestCase,
  request: UnmatchedResultTestCreate,
  { runId, order, at, simulator }: TestMessageFacts,
): Promise<TestMessage> {
  const asked =
    order === undefined
      ? await requisitionOfTest(scope, request.lab_test_id ?? null)
      : await makeRequisition(scope, order)
  const requisition =
    testCase.lab === 'other'
      ? await atOtherLab(scope, asked, request.wrong_lab_test_id ?? null)
      : asked
  const isKnown = testCase.patient === 'of order'
  const number = runId.replaceAll('-', '').slice(0, 10).toUpperCase()
  const sampleId = testCase.sample === 'of order' ? asked.sampleId : `T${number}`
  const message = await simulator.makeReport({
    // Values depend on the id, and must differ from those of the order itself.
    requisition: {
      ...requisition,
      orderId: runId,
      sampleId,
      ...(!isKnown && { patient: UNKNOWN_PATIENT }),
    },
    status: request.result_status ?? 'final',
    interpretation: request.interpretation ?? 'normal',
    resultTypes: null,
    hasMissingResults: false,
    collectedAt: at,
    reportedAt: at,
    labName: requisition.labSlug,
    accountId: requisition.accountId,
  })
  const patient = isKnown ? message.patient : { ...message.patient, last_name: `Unknown-${number}` }
  return {
    message: { ...message, sample_id: sampleId, specimen_number: `TEST-${number}`, patient },
    labSlug: requisition.labSlug,
  }
}

const UNKNOWN_PATIENT = {
  first_name: 'Unknown',
  last_name: 'Unknown',
  dob: '1901-01-01',
  gender: 'unknown',
  phone_number: null,
  email: null,
}

/** Returns a requisition for a saved test, without an ordering patient. */
async function requisitionOfTest(scope: Scope, labTestId: string | null): Promise<Requisition> {
  const { db, environment } = scope
  const test = await chooseLabTest(scope, labTestId)
  const lab = await findLab(db, test.lab_id)
  if (lab === undefined) throw new Error('The laboratory of a lab test is gone.')
  return {
    environmentId: environment.id,
    orderId: '',
    labSlug: lab.slug,
    method: test.method,
    accountId: '',
    sampleId: null,
    orderedAt: environmentNow(scope),
    collectedAt: null,
    priority: false,
    fasting: test.fasting,
    patient: null,
    patientNumber: '',
    address: null,
    physician: null,
    tests: await testsOf(db, await listMarkerIds(scope, test.id)),
    answers: [],
    clinicalNotes: null,
    icdCodes: [],
    billingType: 'client_bill',
    insurance: null,
    billing: null,
  }
}

async function testsOf(db: Db, markerIds: readonly number[]): Promise<Requisition['tests']> {
  const markers = await listOrderedMarkers(db, markerIds)
  return markers.map(({ id, provider_id, name, expected_results }) => ({
    marker_id: id,
    provider_id,
    name,
    expected_results: expected_results.map((expected) => ({
      name: expected.name,
      provider_id: expected.provider_id,
      loinc: expected.loinc?.code ?? null,
      unit: expected.unit,
      required: expected.required,
    })),
  }))
}

/**
 * Returns the same for another laboratory: that of the named test, or one that has the results by
 * LOINC.
 */
async function atOtherLab(
  scope: Scope,
  asked: Requisition,
  labTestId: string | null,
): Promise<Requisition> {
  const { db } = scope
  if (labTestId !== null) {
    const other = await requisitionOfTest(scope, labTestId)
    if (other.labSlug === asked.labSlug) {
      throw badRequest('wrong_lab_test_unsuitable', 'Both lab tests belong to one laboratory.')
    }
    return { ...asked, labSlug: other.labSlug, tests: other.tests }
  }
  const lab = await findOtherLab(db, asked.labSlug)
  const tests = asked.tests.map((test) => ({
    ...test,
    provider_id: null,
    expected_results: test.expected_results.map((each) => ({ ...each, provider_id: null })),
  }))
  return { ...asked, labSlug: lab.slug, tests }
}

async function findOtherLab(db: Db, labSlug: string): Promise<LabRow> {
  for (const slug of USUAL_LABS.filter((each) => each !== labSlug)) {
    const lab = await findLabBySlug(db, slug)
    if (lab?.is_enabled) return lab
  }
  throw badRequest('wrong_lab_test_required', 'Specify a lab test of another laboratory.')
}
