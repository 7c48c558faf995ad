import type { AllocatedNumbers, Requisition, RequisitionTest } from '@salus/contracts/lab-gateway'
import type { FieldValue, NewSegment } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import type { Formats } from './formats.ts'
import { OrderNotWritable } from './order-not-writable.ts'

type Answer = Requisition['answers'][number]

/** What the segments of the tests are written from. */
export interface TestContext {
  requisition: Requisition
  numbers: AllocatedNumbers
  connection: ResolvedConnection
  formats: Formats
  /** ORC-1: NW for a new order, CA for its cancellation. */
  control: 'NW' | 'CA'
}

/** Writes the tests of an order: ORC, OBR, and what belongs to each. */
export function testSegments(context: TestContext): NewSegment[] {
  const { requisition, connection, control } = context
  const isNew = control === 'NW'
  return requisition.tests.flatMap((test, index) => {
    const isFirst = index === 0
    const hasOrc = isFirst || connection.order.orc_per === 'test'
    const answers = isNew ? answersTo(test, context) : { observations: [], placed: [] }
    return [
      ...(hasOrc ? [orcOf(test, context)] : []),
      ...(isNew ? timingSegments(context) : []),
      ...placeAnswers(obrOf(test, index, context), answers.placed),
      ...(isNew && isFirst ? commentSegments(context, 'OBR') : []),
      ...(isNew ? diagnosisSegments(context, isFirst) : []),
      ...answers.observations,
      ...(isNew ? specimenSegments(test, context) : []),
    ]
  })
}

/** Notes of the order, where the connection wants them in this segment's group. */
export function commentSegments(
  { requisition, connection }: Pick<TestContext, 'requisition' | 'connection'>,
  at: 'OBR' | 'PID',
): NewSegment[] {
  const { clinicalNotes } = requisition
  if (clinicalNotes === null || connection.order.notes !== at) return []
  const lines = clinicalNotes.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  return lines.map((line, index) => ({
    name: 'NTE',
    fields: { 1: String(index + 1), 2: 'P', 3: line },
  }))
}

const placerOf = (test: RequisitionTest, { numbers }: TestContext): string =>
  numbers.placerOfTest.get(test.marker_id) ?? numbers.placer

function orcOf(test: RequisitionTest, context: TestContext): NewSegment {
  const { requisition, numbers, connection, formats, control } = context
  const placer = placerOf(test, context)
  const group = numbers.requisition ?? numbers.placer
  const isPerTest = [...numbers.placerOfTest.values()].some((number) => number !== numbers.placer)
  return {
    name: 'ORC',
    fields: {
      1: control,
      2: formats.number(placer),
      // It holds the tests together, where each has a number of its own.
      4: group === placer && !isPerTest ? undefined : formats.number(group),
      9: formats.time(requisition.orderedAt),
      12: formats.provider(requisition.physician),
      ...(connection.traits.priorityField === 'OBR-5' && { 7: priorityTiming(context) }),
    },
  }
}

const priorityCode = ({ requisition, connection }: TestContext): string =>
  connection.codes.priority[String(requisition.priority)] ?? ''

/** TQ before 2.5: the priority is the sixth component. */
const priorityTiming = (context: TestContext): FieldValue => [
  ...['', '', '', '', ''],
  priorityCode(context),
]

function timingSegments(context: TestContext): NewSegment[] {
  if (context.connection.traits.priorityField !== 'TQ1-9') return []
  return [{ name: 'TQ1', fields: { 1: '1', 9: [priorityCode(context), '', 'HL70485'] } }]
}

function obrOf(test: RequisitionTest, index: number, context: TestContext): NewSegment {
  const { requisition, connection, formats } = context
  const isLegacy = connection.traits.priorityField === 'OBR-5'
  const fasting = connection.traits.hasAssigners ? ['F', 'Fasting', 'HL70916'] : 'FASTING'
  return {
    name: 'OBR',
    fields: {
      1: String(index + 1),
      2: formats.number(placerOf(test, context)),
      4: codeOf(test, connection),
      5: isLegacy ? priorityCode(context) : undefined,
      7: formats.time(requisition.collectedAt),
      13: requisition.fasting ? fasting : undefined,
      15: connection.order.specimens === 'OBR-15' ? sourceOf(test, connection) : undefined,
      16: formats.provider(requisition.physician),
      27: isLegacy ? priorityTiming(context) : undefined,
    },
  }
}

function codeOf(
  { provider_id, name }: RequisitionTest,
  connection: ResolvedConnection,
): FieldValue {
  if (provider_id === null) throw new OrderNotWritable('NO_ORDER_CODE', 'OBR-4')
  const { orderable_system } = connection.codes
  return connection.order.order_code_component === 4
    ? ['', '', '', provider_id, name]
    : [provider_id, name, orderable_system]
}

function diagnosisSegments(
  { requisition, connection }: TestContext,
  isFirst: boolean,
): NewSegment[] {
  const { diagnoses } = connection.order
  if (diagnoses === 'none' || (diagnoses === 'once' && !isFirst)) return []
  return requisition.icdCodes.map((code, index) => ({
    name: 'DG1',
    // W: a working diagnosis.
    fields: { 1: String(index + 1), 3: [code, '', 'I10'], 6: 'W' },
  }))
}

/** The code of the specimen of a test and its name; undefined where none is known. */
function specimenOf(
  { provider_id: code, specimen_type: type }: RequisitionTest,
  { codes: { specimen: map } }: ResolvedConnection,
): [code: string, name: string] | undefined {
  const [found] = [code, type].flatMap((key) =>
    key && Object.hasOwn(map, key) && map[key] ? [map[key]] : [],
  )
  if (found === undefined) return undefined
  const name = type?.replaceAll('_', ' ') ?? ''
  return [found, name.charAt(0).toUpperCase() + name.slice(1)]
}

/** OBR-15 before 2.5: code and name are parts of the first component. */
function sourceOf(test: RequisitionTest, connection: ResolvedConnection): FieldValue | undefined {
  const specimen = specimenOf(test, connection)
  return specimen && [specimen]
}

/** SNOMED CT: the catalog does not say what the specimen is. */
const UNKNOWN_SPECIMEN = ['119324002', 'Specimen of unknown material', 'SCT']

function specimenSegments(
  test: RequisitionTest,
  { requisition, connection, formats }: TestContext,
): NewSegment[] {
  const { sampleId, collectedAt } = requisition
  const isKnown = sampleId !== null || collectedAt !== null
  if (connection.order.specimens !== 'SPM' || !isKnown) return []
  const [assigner = ''] = connection.envelope.sending_app.split('^')
  const number = sampleId === null ? undefined : [[sampleId, assigner]]
  const specimen = specimenOf(test, connection)
  const system = connection.traits.hasAssigners ? 'SCT' : 'HL70487'
  const type = specimen === undefined ? UNKNOWN_SPECIMEN : [...specimen, system]
  const fields = { 1: '1', 2: number, 4: type, 17: formats.time(collectedAt) }
  return [{ name: 'SPM', fields }]
}

/** The answers to the questions of a test: as observations, and those that a field takes. */
function answersTo(
  test: RequisitionTest,
  { requisition, connection }: TestContext,
): { observations: NewSegment[]; placed: { field: string; text: string }[] } {
  const byQuestion = new Map<string, Answer[]>()
  for (const answer of requisition.answers) {
    if (answer.marker_id !== test.marker_id) continue
    const { question_code: code } = answer
    byQuestion.set(code, [...(byQuestion.get(code) ?? []), answer])
  }
  const { aoe_fields } = connection.order
  const placed: { field: string; text: string }[] = []
  const observations: NewSegment[] = []
  for (const [code, answers] of byQuestion) {
    const field = Object.hasOwn(aoe_fields, code) ? aoe_fields[code] : undefined
    if (field !== undefined) {
      placed.push({ field, text: answers.map(({ answer }) => answer).join(', ') })
    } else observations.push(observationOf(answers, observations.length + 1, connection))
  }
  return { observations, placed }
}

function observationOf(
  answers: readonly Answer[],
  set: number,
  { codes, traits }: ResolvedConnection,
): NewSegment {
  const { question_code, question, type } = answers[0] as Answer
  const isChoice = type === 'choice' || type === 'multi_choice'
  const isCoded = isChoice && traits.choiceType === 'CWE'
  const repetitions = answers.map(({ answer }) =>
    isCoded ? [answer, '', codes.orderable_system] : answer,
  )
  const words = answers.some(({ answer }) => /[\r\n]/.test(answer)) ? 'TX' : 'ST'
  return {
    name: 'OBX',
    fields: {
      1: String(set),
      2: isCoded ? 'CWE' : type === 'numeric' ? 'NM' : words,
      3: [question_code, question, codes.orderable_system],
      5: { repetitions },
      // O: an answer, and no result.
      11: 'O',
      29: traits.hasAssigners ? 'QST' : undefined,
    },
  }
}

/** Writes answers into fields: of OBR, or of segments of the laboratory's own behind it. */
function placeAnswers(
  obr: NewSegment,
  placed: readonly { field: string; text: string }[],
): NewSegment[] {
  const segments = [obr]
  for (const { field, text } of placed) {
    const [name = '', position = ''] = field.split('-')
    const index = segments.findIndex((segment) => segment.name === name)
    const known = segments[index] ?? { name, fields: {} }
    const changed = { name, fields: { ...known.fields, [Number(position)]: text } }
    if (index < 0) segments.push(changed)
    else segments[index] = changed
  }
  return segments
}
