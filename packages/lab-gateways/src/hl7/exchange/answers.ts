import type {
  CancellationAnswer,
  Placement,
  Refusal,
  StoredAnswer,
} from '@salus/contracts/lab-gateway'
import { type Ack, decodeMessages, type Message, readAck, readMessage } from '@salus/hl7v2'

/**
 * Returns whether bytes are the answer to the message of a control id. Senders wait for such an
 * answer and ignore others: one that is late would otherwise be taken for the answer to the next
 * message.
 */
export function isAnswerTo(content: Buffer, controlId: string): boolean {
  return findAnswer(content, controlId) !== undefined
}

/** How a laboratory answered. */
export interface ReadAnswer extends Omit<StoredAnswer, 'content'> {
  /** Numbers of the laboratory for the tests, where an ORR or ORL has them. */
  fillerNumbers: string[]
  /** ORC-4: the number of the requisition. */
  groupNumber: string | null
}

/**
 * An answer after which the same message is to be sent again: the laboratory could not work on it
 * now, or what it answered is no answer. Its message has no text of the laboratory.
 */
export class AnswerNotFinal extends Error {
  /** Kind of the trouble, such as `AE 207` or `no_answer`. */
  readonly problem: string
  constructor(problem: string) {
    super(`The laboratory gave no final answer: ${problem}.`)
    this.name = 'AnswerNotFinal'
    this.problem = problem
  }
}

/** Table 0357: the record is locked, or an internal error. */
const PASSING_ERRORS = ['206', '207']
/** Table 0357: type, event, processing id or version not supported. */
const LASTING_ERRORS = ['200', '201', '202', '203']
/** Table 0357: the identifier exists already. */
const DUPLICATE_KEY = '205'

/**
 * Reads the answer to a message. AA accepts; CA only says that it was stored; AE, AR and CE refuse
 * it, unless the error passes; CR is sent again, unless the error lasts. An accepting answer whose
 * orders are all unable to be accepted (UA) or to be cancelled (UC) refuses as well.
 * @param options.isRepetition Whether the message was sent before without an answer: a laboratory
 *   that then finds its identifier taken has it from that time, and so accepts it
 * @throws AnswerNotFinal when the message is to be sent again
 */
export function readAnswer(
  content: Buffer,
  controlId: string,
  { isRepetition = false }: { isRepetition?: boolean } = {},
): ReadAnswer {
  const found = findAnswer(content, controlId)
  if (found === undefined) throw new AnswerNotFinal('no_answer')
  const { message, ack } = found
  const numbers = readAnswerNumbers(message)
  const codes = ack.errors.map(({ code }) => code)
  if (isRepetition && codes.includes(DUPLICATE_KEY)) {
    return { state: 'accepted', code: null, location: null, ...numbers }
  }
  switch (ack.code) {
    case 'AA': {
      const control = controlOfAll(message)
      const isUnable = control === 'UA' || control === 'UC' || control === 'UD'
      return isUnable
        ? { state: 'refused', code: `ORC ${control}`, location: null, ...numbers }
        : { state: 'accepted', code: null, location: null, ...numbers }
    }
    case 'CA':
      return { state: 'committed', code: null, location: null, ...numbers }
    case 'AE':
    case 'AR':
    case 'CE':
      if (codes.some((code) => PASSING_ERRORS.includes(code))) break
      return { state: 'refused', ...refusalOf(ack), ...numbers }
    case 'CR':
      if (!codes.some((code) => LASTING_ERRORS.includes(code))) break
      return { state: 'refused', ...refusalOf(ack), ...numbers }
  }
  throw new AnswerNotFinal(ack.code === undefined ? 'unknown_answer' : refusalOf(ack).code)
}

function findAnswer(
  content: Buffer,
  controlId: string,
): { message: Message; ack: Ack } | undefined {
  return (
    decodeMessages(content)
      .messages.map((raw) => readMessage(raw))
      .flatMap((message) => {
        const ack = readAck(message)
        return ack?.controlId === controlId ? [{ message, ack }] : []
      })
      // A commit and the application's answer may come together; the application's decides.
      .toSorted((a, b) => Number(isCommit(a.ack)) - Number(isCommit(b.ack)))[0]
  )
}

const isCommit = ({ code }: Ack): boolean => code?.startsWith('C') ?? true

/** ORC-1 where all orders of an answer have the same; '' otherwise. */
function controlOfAll(message: Message): string {
  const controls = new Set(message.all('ORC').map((orc) => orc.text(1).trim().toUpperCase()))
  return controls.size === 1 ? ([...controls][0] as string) : ''
}

function readAnswerNumbers(message: Message): Pick<ReadAnswer, 'fillerNumbers' | 'groupNumber'> {
  const orders = [...message.all('ORC'), ...message.all('OBR')]
  const fillers = orders.map((segment) => segment.text(3).trim()).filter((number) => number !== '')
  const groups = message.all('ORC').map((orc) => orc.text(4).trim())
  return {
    fillerNumbers: [...new Set(fillers)],
    groupNumber: groups.find((number) => number !== '') ?? null,
  }
}

/** The codes of a refusal, without text: `AE 204`, and the field that the laboratory named. */
export function refusalOf({ code, errors }: Ack): Refusal {
  const [error] = errors
  const isPlain = error !== undefined && /^[\w.-]{1,20}$/.test(error.code)
  const { segment, field } = error?.location ?? {}
  const isSegment = segment !== undefined && /^[A-Z][A-Z0-9]{2}$/.test(segment)
  return {
    code: isPlain ? `${code} ${error.code}` : `${code}`,
    location: isSegment ? (field === undefined ? segment : `${segment}-${field}`) : null,
  }
}

/** The answer to a requisition in the terms of orders. `sampleId` is that of an accepted one. */
export function placementOf(answer: AnswerState, sampleId: string | null): Placement {
  if (answer.state === 'accepted') return { state: 'accepted', sampleId }
  if (answer.state === 'committed') return { state: 'waiting' }
  return { state: 'refused', refusal: toRefusal(answer) }
}

/** The answer to a cancellation in the terms of orders. */
export function cancellationOf(answer: AnswerState): CancellationAnswer {
  if (answer.state === 'accepted') return { state: 'cancelled' }
  if (answer.state === 'committed') return { state: 'waiting' }
  return { state: 'refused', refusal: toRefusal(answer) }
}

type AnswerState = Omit<StoredAnswer, 'content'>

const toRefusal = ({ code, location }: AnswerState): Refusal => ({ code: code ?? 'AE', location })
