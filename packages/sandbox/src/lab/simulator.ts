import {
  type Deliver,
  type LabSimulator,
  OrderUpdate,
  type SimulatedOccurrence,
  type StoredMessage,
  UnreadableMessage,
} from '@salus/contracts/lab-gateway'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { delaySeconds } from './delays.ts'
import { reportByTest } from './report/reported-tests.ts'
import { makeKitNumber, makeRequisitionNumber } from './sample-numbers.ts'
import { isResult, REPORTS, type Situation, updatesFor } from './updates.ts'
import { visitTime } from './visit-time.ts'

/**
 * Content type of messages in the sandbox's own format: updates of orders as JSON, in the order in
 * which they happened.
 */
export const SANDBOX_CONTENT_TYPE = 'application/vnd.salus.sandbox+json'

let validate: ValidateFunction<OrderUpdate[]> | undefined

/** Compiled with the first message, and not at the start. */
function isMessage(value: unknown): value is OrderUpdate[] {
  if (validate === undefined) {
    const ajv = new Ajv({ strict: false })
    formats.default(ajv, ['date', 'date-time'])
    validate = ajv.compile<OrderUpdate[]>({ type: 'array', items: OrderUpdate })
  }
  return validate(value)
}

function parse(content: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (cause) {
    throw new UnreadableMessage('not_utf8', { cause })
  }
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own error quotes the message.
    throw new UnreadableMessage('not_json')
  }
}

function read({ contentType, content }: StoredMessage): OrderUpdate[] {
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== SANDBOX_CONTENT_TYPE) throw new UnreadableMessage('wrong_content_type')
  const message = parse(content)
  if (!isMessage(message)) throw new UnreadableMessage('wrong_shape')
  return message
}

/** Writes the message of updates; `read` is the inverse. */
export function writeMessage(updates: readonly OrderUpdate[]): StoredMessage {
  return { contentType: SANDBOX_CONTENT_TYPE, content: Buffer.from(JSON.stringify(updates)) }
}

/**
 * The code that makes reports loads all analytes and their intervals, so it is loaded with the
 * first report.
 */
const makeReport: LabSimulator['makeReport'] = async (wish) =>
  (await import('./believable-report.ts')).makeReport(wish)

/** Returns a number under which the laboratory has no other sample. */
async function chooseSampleId({
  requisition,
  isSampleIdTaken,
}: SimulatedOccurrence): Promise<string> {
  const { orderId, labSlug, patient } = requisition
  for (let attempt = 0; ; attempt++) {
    const number =
      patient === null
        ? makeKitNumber(orderId, attempt)
        : makeRequisitionNumber(orderId, labSlug, attempt)
    if (!(await isSampleIdTaken(number))) return number
  }
}

async function makeUpdates(happening: SimulatedOccurrence): Promise<OrderUpdate[]> {
  const { cause, requisition, report, detail, at, appointment } = happening
  const { orderId, labSlug, sampleId: known } = requisition
  const sampleId = known ?? (await chooseSampleId(happening))
  const order = { orderId, sampleId, labSlug }
  const situation: Situation = {
    order,
    at: at.toISOString(),
    detail,
    sampleId,
    isNewSampleId: known === null,
    appointment: appointment && {
      id: appointment.id,
      // The requested time stays, unless it was already confirmed.
      time:
        appointment.startAt === null || appointment.isConfirmed ? visitTime(appointment, at) : null,
    },
  }
  if (!isResult(cause)) return updatesFor(cause, situation)
  const { status, mustLack } = REPORTS[cause]
  const made = await makeReport({
    ...report,
    requisition: { ...requisition, sampleId },
    status,
    hasMissingResults: mustLack || report.hasMissingResults,
    reportedAt: at,
  })
  const byTest = reportByTest(made, { ...requisition, sampleId }, report.previous)
  return [{ kind: 'report', order, at: situation.at, report: byTest }]
}

/**
 * Creates a laboratory with its couriers and its kit vendor, which does nothing by itself: it
 * accepts every requisition and waits until it is instructed. Then it reports the update in a
 * message, which it delivers as a real laboratory does.
 */
export function createLabSimulator(): LabSimulator {
  let deliver: Deliver | undefined
  const send: LabSimulator['send'] = async ({ environmentId, id: controlId, at, updates }) => {
    if (deliver === undefined) throw new Error('The inbound side of the sandbox is not open.')
    return deliver({ ...writeMessage(updates), environmentId, controlId, at })
  }
  return {
    name: 'sandbox',
    place: async () => ({ state: 'waiting' }),
    cancel: async () => ({ state: 'cancelled' }),
    open(given) {
      deliver = given
    },
    close: async () => {
      deliver = undefined
    },
    read,
    simulate: async (happening) => send({ ...happening, updates: await makeUpdates(happening) }),
    send,
    delaySeconds,
    makeReport,
    makeSampleId: ({ orderId, labSlug }) => makeRequisitionNumber(orderId, labSlug),
  }
}
