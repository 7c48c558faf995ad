import { type AckCode, decodeMessages, type Message, readAck, readMessage } from '@salus/hl7v2'
import { makeSpecimenNumber } from '../../lab/sample-numbers.ts'
import { findTests, type LaboratoryOptions, type WiredLaboratory } from '../laboratory-options.ts'
import { OrderBook, type TakenOrder } from '../life/order-book.ts'
import { OrderLife } from '../life/order-life.ts'
import type { Step } from '../life/scenario.ts'
import { type AnswerControl, writeAck, writeCancellation, writeOrderAnswer } from './answers.ts'
import { isEnhanced } from './header.ts'
import { type Address, listenForMessages, MessageSender } from './mllp.ts'
import { type ReceivedOrder, readReceivedOrder, requisitionOf } from './received-order.ts'
import { writeReport } from './result-message.ts'

export interface Hl7Options extends LaboratoryOptions {
  /** Where it takes orders; port 0 is a free one. */
  listen: Address
  /** Where it sends results. */
  sendTo: Address
  /** IANA zone of times. */
  zone: string
}

/**
 * Starts a laboratory that speaks HL7 v2 over MLLP. It takes orders of each version, answers them,
 * and sends results in the version of the order. The values are those of the simulator of sandboxes
 * (docs/sandbox.md#a-laboratory-over-hl7).
 * @throws Error with the code of the system when it cannot listen
 */
export async function startHl7Laboratory(options: Hl7Options): Promise<WiredLaboratory> {
  const laboratory = new Hl7Laboratory(options)
  const listener = await listenForMessages(options.listen, (content) => laboratory.answer(content))
  return {
    port: listener.port,
    run: (number, steps) => laboratory.book.run(number, steps),
    async close() {
      await listener.close()
      await laboratory.book.stop()
    },
  }
}

class Hl7Laboratory {
  readonly book: OrderBook<ReceivedOrder>
  readonly #options: Hl7Options
  readonly #sender: MessageSender
  /** The last message about an order, for duplicates. */
  readonly #last = new Map<string, Sent>()
  /** Begins all ids of messages, so that another run of the laboratory repeats none. */
  readonly #prefix: string
  #count = 0

  constructor(options: Hl7Options) {
    this.#options = options
    this.#prefix = `LAB${options.now().getTime().toString(36).toUpperCase()}`
    this.book = new OrderBook({ ...options, send: (taken, step) => this.#send(taken, step) })
    this.#sender = new MessageSender(options.sendTo, this.book.signal, (problem) =>
      this.book.report('', 'problem', `results: ${problem}, trying again`),
    )
  }

  /** Answers the messages of a frame; null where a scenario breaks the connection. */
  async answer(content: Buffer): Promise<readonly Buffer[] | null> {
    const answers: Buffer[] = []
    for (const raw of decodeMessages(content).messages) {
      const message = readMessage(raw)
      const order = readReceivedOrder(message)
      const answer = order === undefined ? this.#refuse(message) : await this.#take(order)
      if (answer === null) return null
      answers.push(answer)
    }
    return answers
  }

  #refuse(message: Message): Buffer {
    this.book.report('', 'problem', `${typeOf(message)} → AR`)
    return writeAck({ message }, 'AR', this.#header())
  }

  async #take(order: ReceivedOrder): Promise<Buffer | null> {
    const { number, control, notes, tests, message } = order
    if (control === 'CA') {
      return this.#respond(order, this.book.cancel(number) ? 'CR' : 'UC', 'cancellation')
    }
    const decision = await this.book.decide(number, notes)
    if (decision === 'repeated') return this.#respond(order, 'OK', 'order, repeated')
    if (decision === 'refused') return this.#respond(order, 'UA', 'order')
    if (decision === 'lost') {
      this.book.report(number, 'order', `${typeOf(message)} → the connection breaks`)
      return null
    }
    const { labSlug, labName, zone } = this.#options
    const requisition = requisitionOf(order, {
      labSlug,
      zone,
      tests: findTests(tests, this.#options),
    })
    const answered = Promise.withResolvers<void>()
    const life = new OrderLife(requisition, decision, labName)
    this.book.take(number, { order, life }, answered.promise)
    return this.#respond(order, 'OK', `order of ${countTests(tests.length)}`, answered.resolve)
  }

  /**
   * Returns the answer on the connection of the order. In enhanced mode that is the commit, and the
   * application answers in a message of its own, before any result.
   */
  #respond(
    order: ReceivedOrder,
    control: AnswerControl,
    what: string,
    onAnswered = (): void => {},
  ): Buffer {
    const { number, message } = order
    const type = typeOf(message)
    if (isEnhanced(order)) {
      this.book.report(number, what, `${type} → CA`)
      this.book.background(() => this.#sendAnswer(order, control).then(onAnswered))
      return writeAck(order, 'CA', this.#header())
    }
    const code: AckCode = control === 'UA' ? 'AR' : 'AA'
    this.book.report(number, what, `${type} → ${control === 'UC' ? 'AA, ORC UC' : code}`)
    onAnswered()
    if (control !== 'UC') return writeAck(order, code, this.#header())
    return writeOrderAnswer(order, control, this.#numbered(order))
  }

  async #sendAnswer(order: ReceivedOrder, control: AnswerControl): Promise<void> {
    const header = this.#numbered(order)
    const content = writeOrderAnswer(order, control, header)
    await this.#deliver(order.number, `answer ${control}`, { content, ...header })
  }

  async #send({ order, life }: TakenOrder<ReceivedOrder>, step: Step): Promise<void> {
    const { number } = order
    if (step === 'duplicate') {
      const last = this.#last.get(number)
      if (last !== undefined) await this.#deliver(number, step, last)
      return
    }
    const header = this.#numbered(order)
    if (step === 'cancelled') life.isCancelled = true
    const content =
      step === 'cancelled'
        ? writeCancellation(order, header)
        : writeReport(order, life.report(step, this.#options.now()), {
            ...header,
            person: step === 'wrong-patient' ? 'other' : 'patient',
          })
    const sent = { content, controlId: header.controlId }
    this.#last.set(number, sent)
    await this.#deliver(number, step, sent)
  }

  async #deliver(number: string, what: string, { content, controlId }: Sent): Promise<void> {
    const isAnswer = (bytes: Buffer) => findAck(bytes)?.controlId === controlId
    const answer = await this.#sender.send(content, isAnswer)
    const [raw] = decodeMessages(content).messages
    const type = raw === undefined ? '' : typeOf(readMessage(raw))
    this.book.report(number, what, `${type} → ${findAck(answer)?.code ?? 'no code'}`)
  }

  #header() {
    const at = this.#options.now().getTime()
    const count = String(++this.#count).padStart(4, '0')
    return { controlId: `${this.#prefix}${count}`, at, zone: this.#options.zone }
  }

  #numbered({ number }: ReceivedOrder) {
    const specimenNumber = makeSpecimenNumber(number, this.#options.labSlug)
    return { ...this.#header(), specimenNumber }
  }
}

interface Sent {
  content: Buffer
  controlId: string
}

const typeOf = ({ type }: Message): string => [type.code, type.trigger].filter(Boolean).join('^')

const countTests = (count: number): string => (count === 1 ? '1 test' : `${count} tests`)

function findAck(bytes: Buffer) {
  const [raw] = decodeMessages(bytes).messages
  return raw === undefined ? undefined : readAck(readMessage(raw))
}
