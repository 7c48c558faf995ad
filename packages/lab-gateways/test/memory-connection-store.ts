import type {
  AllocatedNumbers,
  ConnectionStore,
  OutgoingMessage,
  StoredAnswer,
} from '@salus/contracts/lab-gateway'

/** A connection store in memory, with what was recorded. */
export interface MemoryStore extends ConnectionStore {
  messages: Map<string, OutgoingMessage>
  attempts: [messageId: string, problem: string][]
}

/**
 * Creates a connection store that keeps the rules of the port in memory: a message of an order is
 * written once, the first answer stays unless it only commits, and one message is sent at a time.
 * @param numbers Numbers of the orders; MSH-10 counts up
 */
export function createMemoryStore(numbers: Omit<AllocatedNumbers, 'controlId'>): MemoryStore {
  const messages = new Map<string, OutgoingMessage>()
  const attempts: [string, string][] = []
  let count = 0
  let position: string | null = null
  let turn: Promise<unknown> = Promise.resolve()
  const nextControlId = () => `S-${String(++count).padStart(6, '0')}`
  return {
    messages,
    attempts,
    async prepare({ orderId, purpose }, make) {
      const id = `${orderId} ${purpose}`
      const known = messages.get(id)
      if (known !== undefined) return known
      const controlId = nextControlId()
      const { placer, requisition } = numbers
      const content = make({ ...numbers, controlId })
      const message = { id, controlId, placer, requisition, content, wasSent: false, answer: null }
      messages.set(id, message)
      return message
    },
    findSent: async (controlId) =>
      [...messages.values()].find((message) => message.controlId === controlId) ?? null,
    async beginAttempt(messageId) {
      const message = messages.get(messageId)
      if (message !== undefined) messages.set(messageId, { ...message, wasSent: true })
    },
    async recordAttempt(messageId, problem) {
      attempts.push([messageId, problem])
    },
    async recordAnswer(messageId, answer: StoredAnswer) {
      const message = messages.get(messageId)
      const isOpen = message?.answer === null || message?.answer.state === 'committed'
      if (message !== undefined && isOpen) messages.set(messageId, { ...message, answer })
    },
    recordLateAnswer(messageId, answer) {
      return this.recordAnswer(messageId, answer)
    },
    exclusively(send) {
      const next = turn.then(send)
      turn = next.catch(() => undefined)
      return next
    },
    readPosition: async () => position,
    async writePosition(next) {
      position = next
    },
    nextControlId: async () => nextControlId(),
  }
}
