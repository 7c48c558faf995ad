import { createHash } from 'node:crypto'
import type { InboundMessage, Receipt } from '@salus/contracts/lab-gateway'
import { Batcher } from '@salus/kernel/batching/batcher'
import { newTimedId } from '@salus/kernel/ids'
import { defineJob, storedPayload } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { insertLabMessages, type NewLabMessage } from './lab-messages.global.repository.ts'

export interface LabMessageJob {
  environmentId: string
  messageId: string
}

/**
 * The job that processes a message. graphile-worker waits e^attempt seconds after each failure, so
 * ten attempts take about three and a half hours; then the message waits for the operator.
 */
export const PROCESS_LAB_MESSAGE = defineJob<LabMessageJob>('process_lab_message', {
  maxAttempts: 10,
})

/** Bytes of messages in a statement; one that is larger has a statement of its own. */
const MOST_BYTES = 4 * 1024 ** 2
/** Statements at a time, so that small messages do not wait for a large document. */
const MOST_STATEMENTS = 3

/**
 * Stores what laboratories, couriers and kit vendors send. Messages that arrive while others are
 * written share the next commit, and each sender waits for the commit of its own.
 */
export class MessageWriter {
  readonly #stores: Stores
  readonly #batcher: Batcher<NewLabMessage, Receipt | undefined>

  constructor(stores: Stores) {
    this.#stores = stores
    this.#batcher = new Batcher({
      name: 'lab messages',
      waitMs: 0,
      maxBatchSize: MOST_BYTES,
      maxBatches: MOST_STATEMENTS,
      flush: (messages, beginNext) => this.#write(messages, beginNext),
    })
  }

  /**
   * Stores a message, unchanged, and adds a job that applies it. When this resolves it is on disk,
   * and the sender may receive an acknowledgement. A message with the sender's id and the content
   * of a stored one is a repetition, which is not stored again. A message with a known problem
   * fails at once and waits for the operator.
   * @param options.isIdUnique messages with one id of the sender are the same, with any content
   * @throws Error when the environment does not exist
   */
  async store(
    gateway: string,
    { environmentId, controlId, contentType, content, problem, at }: InboundMessage,
    { isIdUnique = false } = {},
  ): Promise<Receipt> {
    const id = newTimedId()
    const isFailed = problem !== undefined
    const job = { environmentId, messageId: id }
    const message: NewLabMessage = {
      id,
      environment_id: environmentId,
      gateway,
      // Text of PostgreSQL has no NUL, and one message must not fail those that share its commit.
      control_id: controlId?.replaceAll('\0', '') ?? null,
      content_type: contentType,
      content,
      content_hash: isIdUnique ? '' : createHash('sha256').update(content).digest('hex'),
      received_at: at,
      state: isFailed ? 'failed' : 'waiting',
      problem_class: isFailed ? 'unreadable' : null,
      problem: problem ?? null,
      processed_at: isFailed ? at : null,
      job: isFailed ? null : storedPayload(PROCESS_LAB_MESSAGE, job),
    }
    const [stored] = await this.#batcher.add([{ work: message, size: content.length }])
    if (stored === undefined) {
      throw new Error('A message is for an environment that does not exist.')
    }
    if (stored.isNew && isFailed) {
      const about = { ...job, problemClass: 'unreadable', problem }
      this.#stores.log.warn(about, 'a laboratory message was not applied')
    }
    return stored
  }

  async #write(
    messages: readonly NewLabMessage[],
    beginNext: () => void,
  ): Promise<(Receipt | undefined)[]> {
    const bytes = messages.reduce((sum, { content }) => sum + content.length, 0)
    if (bytes > MOST_BYTES / 4) beginNext()
    const stored = await insertLabMessages(this.#stores.db, PROCESS_LAB_MESSAGE, messages)
    return stored.map((each) => each && { messageId: each.id, isNew: each.isNew })
  }
}
