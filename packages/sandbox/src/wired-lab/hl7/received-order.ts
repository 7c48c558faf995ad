import type { Requisition, RequisitionTest } from '@salus/contracts/lab-gateway'
import { type Message, readTime, type Segment } from '@salus/hl7v2'

/** A message about an order as the laboratory read it: a new order, or its cancellation. */
export interface ReceivedOrder {
  message: Message
  /** ORC-1: NW, CA and others of table 0119. */
  control: string
  /** The number of the requisition, by which the laboratory knows the order. */
  number: string
  tests: ReceivedTest[]
  /** NTE of the whole message, as lines. */
  notes: string
}

export interface ReceivedTest {
  code: string
  name: string
  placer: string
  obr: Segment
  /** Answers to the laboratory's questions: OBX with the status O. */
  answers: Segment[]
}

/** Reads ORM^O01 and OML^O21 of each version; undefined for a message without an order. */
export function readReceivedOrder(message: Message): ReceivedOrder | undefined {
  const { code } = message.type
  const [orc] = message.all('ORC')
  if (orc === undefined || (code !== 'ORM' && code !== 'OML')) return undefined
  const tests = readTests(message)
  const placer = orc.text(2).trim() || (tests[0]?.placer ?? '')
  return {
    message,
    control: orc.text(1).trim().toUpperCase(),
    number: orc.text(4).trim() || placer,
    tests,
    notes: message
      .all('NTE')
      .map((nte) => nte.field(3).freeText)
      .join('\n'),
  }
}

function readTests(message: Message): ReceivedTest[] {
  const tests: ReceivedTest[] = []
  let placer = ''
  for (const segment of message.segments) {
    if (segment.name === 'ORC') placer = segment.text(2).trim()
    else if (segment.name === 'OBR') tests.push(readTest(segment, placer))
    else if (segment.name === 'OBX' && segment.text(11) === 'O') tests.at(-1)?.answers.push(segment)
  }
  return tests
}

/** The code is in the first group of OBR-4, or in the second one as in 2.3.1. */
function readTest(obr: Segment, ofOrc: string): ReceivedTest {
  const first = obr.text(4, 1).trim()
  const [code, name] = first === '' ? [4, 5] : [1, 2]
  return {
    code: obr.text(4, code).trim(),
    name: obr.text(4, name).trim(),
    placer: obr.text(2).trim() || ofOrc,
    obr,
    answers: [],
  }
}

const SEXES: Readonly<Record<string, string>> = { M: 'male', F: 'female' }

/**
 * Returns the order as the simulator takes it. Its seed is the number of the requisition.
 * @param tests Tests of the laboratory's compendium, in the order of the message
 * @param zone IANA zone of times without an offset
 */
export function requisitionOf(
  { message, number, tests: received, notes }: ReceivedOrder,
  { labSlug, tests, zone }: { labSlug: string; tests: RequisitionTest[]; zone: string },
): Requisition {
  const pid = message.first('PID')
  const [obr] = message.all('OBR')
  const orc = message.first('ORC')
  const timeOf = (segment: Segment | undefined, field: number): Date | null => {
    const time = readTime(segment?.text(field) ?? '', { zone })
    return time === undefined ? null : new Date(time.at)
  }
  return {
    environmentId: '',
    orderId: number,
    labSlug,
    method: 'walk_in_test',
    accountId: message.header.text(4).trim(),
    sampleId: number,
    orderedAt: timeOf(orc, 9) ?? timeOf(message.header, 7) ?? new Date(0),
    collectedAt: timeOf(obr, 7),
    priority: false,
    fasting: obr?.field(13).isEmpty === false,
    patient: pid === undefined ? null : patientOf(pid, zone),
    patientNumber: '',
    address: pid === undefined ? null : addressOf(pid),
    physician: obr === undefined ? null : physicianOf(obr),
    tests,
    answers: received.flatMap(({ answers }, index) =>
      answers.map((obx) => ({
        marker_id: tests[index]?.marker_id ?? 0,
        question_code: obx.text(3).trim(),
        question: obx.text(3, 2).trim(),
        type: obx.text(2) === 'NM' ? ('numeric' as const) : ('text' as const),
        answer: obx.text(5).trim(),
      })),
    ),
    clinicalNotes: notes || null,
    icdCodes: [],
    billingType: '',
    insurance: null,
    billing: null,
  }
}

function patientOf(pid: Segment, zone: string): Requisition['patient'] {
  return {
    first_name: pid.text(5, 2),
    last_name: pid.text(5),
    dob: readTime(pid.text(7), { zone })?.local.slice(0, 10) ?? '',
    gender: SEXES[pid.text(8).trim().toUpperCase()] ?? 'unknown',
    phone_number: null,
    email: null,
  }
}

/** Only the state matters: it decides the zone of the report. */
function addressOf(pid: Segment): Requisition['address'] {
  const [first_line, second_line, city, state, zip] = [1, 2, 3, 4, 5].map((at) => pid.text(11, at))
  return {
    receiver_name: '',
    first_line: first_line ?? '',
    second_line: second_line || null,
    city: city ?? '',
    state: state ?? '',
    zip: zip ?? '',
    country: 'US',
    phone_number: null,
    access_notes: null,
  }
}

function physicianOf(obr: Segment): Requisition['physician'] {
  const [npi, last_name, first_name] = [1, 2, 3].map((at) => obr.text(16, at).trim())
  return npi ? { npi, last_name: last_name ?? '', first_name: first_name ?? '' } : null
}
