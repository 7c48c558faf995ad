import { UnreadableMessage } from '@salus/contracts/lab-gateway'
import { createPostReceiver, type PostReceiver } from '../../transports/http.ts'
import type { Receive } from '../../transports/transport.ts'
import { type Json, objectOf, objectsOf, parseNumbersAsText, textOf } from '../json.ts'

/** Types of Bundles of notifications: of the backport to R4, and of R4B and later. */
const BUNDLES = ['history', 'subscription-notification']
const CARRIED = ['DiagnosticReport', 'Task']

/**
 * Returns the kind of a notification of a Subscription that has no payload, such as `handshake`,
 * `heartbeat` or `event-notification`; null for anything else. A rest hook of R4 without payload
 * has no body.
 */
export function notificationOf(content: Buffer): string | null {
  if (content.length === 0) return 'event-notification'
  let bundle: Json
  try {
    bundle = objectOf(parseNumbersAsText(content))
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error
    return null
  }
  if (!BUNDLES.includes(textOf(bundle.type) ?? '')) return null
  const resources = objectsOf(bundle.entry).map(({ resource }) => objectOf(resource))
  if (resources.some(({ resourceType }) => CARRIED.includes(String(resourceType)))) return null
  const [status] = resources
  if (status?.resourceType === 'SubscriptionStatus') return textOf(status.type)
  if (status?.resourceType !== 'Parameters') return null
  const type = objectsOf(status.parameter).find(({ name }) => name === 'type')
  return textOf(type?.valueCode)
}

/**
 * Receives what a FHIR server posts. A notification without payload has what is new read from the
 * server, before it is answered; without a server to ask it is kept as it came.
 * @param poll reads what is new; null where no server is known
 */
export function createNotifiedReceiver(
  poll: ((receive: Receive) => Promise<void>) | null,
): PostReceiver {
  const posts = createPostReceiver()
  let polling = Promise.resolve()
  return {
    ...posts,
    async close() {
      await polling.catch(() => {})
      await posts.close()
    },
    async receive(content) {
      const kind = poll === null ? null : notificationOf(content)
      if (poll === null || kind === null) return posts.receive(content)
      if (kind !== 'event-notification') return []
      // One after the other, because they share their position.
      polling = polling.catch(() => {}).then(() => poll(posts.receive))
      await polling
      return []
    },
  }
}
