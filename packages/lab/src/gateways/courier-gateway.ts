import { createHash } from 'node:crypto'
import {
  type Courier,
  type Deliver,
  type LabGateway,
  type OrderUpdate,
  type StoredMessage,
  UnreadableMessage,
} from '@salus/contracts/lab-gateway'
import type { CourierTracker } from '@salus/contracts/lab-partners'
import type { Direction, Scan } from '@salus/contracts/order-lifecycle'

/** A parcel of an order. */
export interface Parcel {
  environmentId: string
  orderId: string
  labSlug: string
  direction: Direction
  trackingNumber: string
}

/** A courier, which is questioned about parcels; its answers are messages like those of others. */
export interface CourierGateway extends LabGateway {
  readonly courier: Courier
  readonly requestsPerHour: number
  /**
   * Looks a parcel up, and delivers the courier's answer as a message once it has a scan.
   * @param now time of the environment
   * @returns the scan; null without one, and for a parcel that the courier does not know yet
   * @throws PartnerFailure
   */
  lookUp(parcel: Parcel, now: Date): Promise<Scan | null>
}

/** JSON: the parcel, and the answer of the courier as it was received. */
const CONTENT_TYPE = 'application/vnd.salus.courier+json'

interface CourierMessage {
  parcel: Omit<Parcel, 'environmentId'>
  answer: unknown
}

/** Creates the gateway to a courier. Everything that it reports is a scan of one parcel. */
export function createCourierGateway(tracker: CourierTracker): CourierGateway {
  let deliver: Deliver | undefined
  const { courier, requestsPerHour } = tracker
  return {
    name: `courier:${courier}`,
    courier,
    requestsPerHour,
    place: async () => {
      throw new Error('A courier takes no requisitions.')
    },
    cancel: async () => ({ state: 'cancelled' }),
    close: async () => {
      deliver = undefined
    },
    open(given) {
      deliver = given
    },
    read: (message) => [readMessage(tracker, message)],
    async lookUp({ environmentId, ...parcel }, now) {
      if (deliver === undefined) throw new Error('The inbound side of the courier is not open.')
      const answer = await tracker.lookUp(parcel.trackingNumber)
      const { scan = null, at = null } = tracker.read(answer) ?? {}
      if (scan === null) return null
      await deliver({
        environmentId,
        controlId: controlIdOf(parcel, scan, at),
        contentType: CONTENT_TYPE,
        content: Buffer.from(JSON.stringify({ parcel, answer } satisfies CourierMessage)),
        at: now,
      })
      return scan
    },
  }
}

/** The same scan of the same parcel has the same id, so that it is stored once. */
function controlIdOf(
  { orderId, direction, trackingNumber }: CourierMessage['parcel'],
  scan: Scan,
  at: Date | null,
): string {
  const parts = [orderId, direction, trackingNumber, scan, at?.toISOString() ?? '']
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

function readMessage(
  tracker: CourierTracker,
  { contentType, content }: StoredMessage,
): OrderUpdate {
  if (contentType !== CONTENT_TYPE) throw new UnreadableMessage('wrong_content_type')
  const { parcel, answer } = parse(content)
  const { scan = null, at = null } = tracker.read(answer) ?? {}
  if (scan === null) throw new UnreadableMessage('wrong_shape')
  const { orderId, labSlug, direction, trackingNumber } = parcel
  return {
    kind: 'scan',
    order: { orderId, labSlug },
    ...(at !== null && { at: at.toISOString() }),
    direction,
    scan,
    courier: tracker.courier,
    trackingNumber,
    trackingUrl: tracker.urlOf(trackingNumber),
  }
}

function parse(content: Buffer): CourierMessage {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    throw new UnreadableMessage('not_json')
  }
}
