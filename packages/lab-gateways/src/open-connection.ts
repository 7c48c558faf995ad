import type {
  AllocatedNumbers,
  ConnectionStore,
  LabConnection,
  LabGateway,
  OutgoingMessage,
  Requisition,
  StoredAnswer,
  StoredMessage,
} from '@salus/contracts/lab-gateway'
import type { Clock } from '@salus/kernel/time/clock'
import { resolveConnection } from './hl7/connection/resolve-connection.ts'
import { splitStored } from './hl7/exchange/receive.ts'
import { transmit } from './hl7/exchange/send.ts'
import { createHl7Gateway } from './hl7/hl7-gateway.ts'
import { writeOrder } from './hl7/orders/write-order.ts'
import { createTransports, type TransportParts } from './transports/create-transports.ts'
import type { Receive } from './transports/transport.ts'

/** A gateway that is made of a connection, with what its operator can try. */
export interface OpenedConnection {
  gateway: LabGateway
  /** Takes what the laboratory posts to Salus; null for a connection that receives otherwise. */
  receive: Receive | null
  check(): Promise<CheckedPart[]>
  /** Writes the order message of a requisition. */
  writeOrder(requisition: Requisition, numbers: AllocatedNumbers): Buffer
  /** Takes a file or a batch apart into its messages. */
  split(content: Buffer): StoredMessage[]
  /**
   * Sends the bytes of a stored message again; null for a connection that sends nothing.
   * @throws Error when there is no answer
   */
  resend: ((message: OutgoingMessage) => Promise<StoredAnswer>) | null
}

interface CheckedPart {
  name: string
  /** Code of the problem; null when it works. */
  problem: string | null
  detail: string | null
}

/** Creates the gateway and the transports of a connection, without opening them. */
export function openConnection(
  connection: LabConnection,
  store: ConnectionStore,
  { clock, ...parts }: TransportParts & { clock: Clock },
): OpenedConnection {
  const { sender, receiver, posts } = createTransports(connection, parts)
  return {
    gateway: createHl7Gateway(connection, store, { sender, receiver }, clock),
    receive: posts === null ? null : posts.receive,
    check: async () => {
      const tried = [
        ['orders', sender],
        ['results', receiver],
      ] as const
      const checks = await Promise.all(
        tried.map(([name, side]) => side && tryPart(name, () => side.check())),
      )
      await sender?.close()
      return checks.filter((check) => check !== null)
    },
    writeOrder: (requisition, numbers) => {
      const rules = resolveConnection(connection.config, connection.environmentKind)
      return writeOrder(rules, requisition, numbers)
    },
    split: splitStored,
    resend:
      sender &&
      (async (message) => {
        const rules = resolveConnection(connection.config, connection.environmentKind)
        const dispatch = { rules, store, sender }
        return (await store.exclusively(() => transmit(message, dispatch))).stored
      }),
  }
}

async function tryPart(name: string, work: () => Promise<void>): Promise<CheckedPart> {
  try {
    await work()
    return { name, problem: null, detail: null }
  } catch (error) {
    const { code } = error as { code?: unknown }
    return { name, problem: typeof code === 'string' ? code : 'failed', detail: null }
  }
}
