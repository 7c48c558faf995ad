import type { ResultTransport, SendingTransport } from '@salus/contracts/lab-gateway'
import type { Log } from '@salus/kernel/log'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { LabFetch } from './http-auth.ts'
import { type Receive, type Receiver, type Sender, TransportError } from './transport.ts'

const HL7 = 'x-application/hl7-v2+er7'
const EVERY_SECONDS = 300

/** Posts messages; the body of the answer is the acknowledgement. */
export function createHttpSender(
  { url, content_type: contentType = HL7 }: Extract<SendingTransport, { kind: 'http' }>,
  fetch: LabFetch,
): Sender {
  return {
    async send({ content, isAnswer }) {
      const headers = { 'content-type': contentType }
      const answer = await fetch({ method: 'POST', url, headers, body: content })
      const body = answer.bytes()
      // Laboratories acknowledge refusals with 400 too; without an answer nothing is known.
      if (isAnswer(body)) return body
      if (answer.status < 200 || answer.status >= 300) {
        throw new TransportError(`http_${answer.status}`)
      }
      return null
    },
    check: async () => void (await fetch({ method: 'HEAD', url })),
    close: async () => {},
  }
}

/** Receives what a laboratory posts; a route passes the posts to `receive`. */
export interface PostReceiver extends Receiver {
  /** @throws TransportError `not_open` before the connection is open */
  receive: Receive
}

export function createPostReceiver(): PostReceiver {
  let given: Receive | undefined
  return {
    open: async (receive) => {
      given = receive
    },
    close: async () => {
      given = undefined
    },
    check: async () => {},
    receive: async (content) => {
      if (given === undefined) throw new TransportError('not_open')
      return given(content)
    },
  }
}

/**
 * Polls a list of results, fetches and stores each, and confirms it only then. A result that is not
 * confirmed is listed again, and the inbox recognizes it.
 */
export function createHttpPoller(
  {
    list,
    get,
    confirm,
    every_seconds: seconds = EVERY_SECONDS,
  }: Extract<ResultTransport, { kind: 'http-poll' }>,
  fetch: LabFetch,
  log: Log,
): Receiver {
  let timer: NodeJS.Timeout | undefined
  let polling = Promise.resolve()
  let isClosed = false
  const urlOf = (pattern: string, id: string): string =>
    pattern.replaceAll('{id}', encodeURIComponent(id))
  const takeOne = async (id: string, receive: Receive): Promise<void> => {
    const answer = await fetch({ url: urlOf(get, id) })
    if (answer.status !== 200) throw new TransportError(`http_${answer.status}`)
    await receive(answer.bytes())
    if (confirm === undefined) return
    const confirmed = await fetch({ method: 'POST', url: urlOf(confirm, id) })
    if (confirmed.status >= 300) throw new TransportError(`http_${confirmed.status}`)
  }
  const pollOnce = async (receive: Receive): Promise<void> => {
    const problems = new Map<string, number>()
    for (const id of await fetchIds(list, fetch)) {
      if (isClosed) break
      try {
        await takeOne(id, receive)
      } catch (error) {
        // A result that cannot be fetched or confirmed must not hold up the others.
        if (!(error instanceof TransportError)) throw error
        problems.set(error.code, (problems.get(error.code) ?? 0) + 1)
      }
    }
    for (const [reason, results] of problems) {
      log.warn({ reason, results }, 'results of a laboratory could not be taken')
    }
  }
  const poll = async (receive: Receive): Promise<void> => {
    try {
      await pollOnce(receive)
    } catch (error) {
      const { code = 'poll_failed' } = error as { code?: string }
      log.warn({ reason: code }, 'results of a laboratory could not be fetched')
    }
    if (!isClosed) timer = setTimeout(() => start(receive), seconds * 1000)
  }
  const start = (receive: Receive): void => {
    polling = poll(receive)
  }
  return {
    async open(receive) {
      isClosed = false
      start(receive)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await polling
    },
    check: async () => void (await fetchIds(list, fetch)),
  }
}

/** Fetches a list of ids: texts, or objects with an `id`; below `data` too. */
async function fetchIds(list: string, fetch: LabFetch): Promise<string[]> {
  const fetched = await fetch({ url: list })
  if (fetched.status !== 200) throw new TransportError(`http_${fetched.status}`)
  const answer = readJson(fetched)
  const items = Array.isArray(answer) ? answer : (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(items)) throw new TransportError('wrong_list')
  return items.map((item) => {
    const id = typeof item === 'object' && item !== null ? item.id : item
    if (typeof id !== 'string' && typeof id !== 'number') throw new TransportError('wrong_list')
    return String(id)
  })
}

function readJson(answer: OutboundAnswer): unknown {
  try {
    return answer.json()
  } catch (cause) {
    throw new TransportError('wrong_list', { cause })
  }
}
