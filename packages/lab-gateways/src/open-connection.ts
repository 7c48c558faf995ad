import type {
  ConnectionCheck,
  ConnectionStore,
  LabConnection,
  OpenedConnection,
} from '@salus/contracts/lab-gateway'
import type { Clock } from '@salus/kernel/time/clock'
import { resolveFhirConnection } from './fhir/connection.ts'
import { checkFhirServer } from './fhir/exchange/poll.ts'
import { transmitFhir } from './fhir/exchange/send.ts'
import { createFhirGateway } from './fhir/fhir-gateway.ts'
import { createFhirSides } from './fhir/fhir-sides.ts'
import { writeFhirOrder } from './fhir/orders/write-order.ts'
import { FHIR_CONTENT_TYPE } from './fhir/systems.ts'
import { resolveConnection } from './hl7/connection/resolve-connection.ts'
import { splitStored } from './hl7/exchange/receive.ts'
import { transmit } from './hl7/exchange/send.ts'
import { createHl7Gateway } from './hl7/hl7-gateway.ts'
import { writeOrder } from './hl7/orders/write-order.ts'
import { createTransports, type TransportParts } from './transports/create-transports.ts'

/** Creates the gateway and the transports of a connection, without opening them. */
export function openConnection(
  connection: LabConnection,
  store: ConnectionStore,
  { clock, ...parts }: TransportParts & { clock: Clock },
): OpenedConnection {
  if (connection.config.profile === 'fhir-r4') {
    return openFhirConnection(connection, store, { clock, ...parts })
  }
  const { sender, receiver, posts } = createTransports(connection, parts)
  return {
    gateway: createHl7Gateway(connection, store, { sender, receiver }, clock),
    receive: posts === null ? null : posts.receive,
    check: async () => {
      const checks = await tryParts({ orders: sender, results: receiver })
      await sender?.close()
      return checks
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

/** Opens a connection to a FHIR server. */
function openFhirConnection(
  connection: LabConnection,
  store: ConnectionStore,
  parts: TransportParts & { clock: Clock },
): OpenedConnection {
  const sides = createFhirSides(connection, store, parts)
  const { dispatch, receiver, posts } = sides
  const orders = dispatch && { check: () => checkFhirServer(dispatch) }
  return {
    gateway: createFhirGateway(connection, sides, parts.clock),
    receive: posts === null ? null : posts.receive,
    check: () => tryParts({ orders, results: receiver }),
    writeOrder: (requisition, numbers) => {
      const rules = resolveFhirConnection(connection.config)
      const shape = dispatch?.shape ?? 'transaction'
      return writeFhirOrder({ requisition, numbers, rules, shape, status: 'active' })
    },
    split: (content) => [{ contentType: FHIR_CONTENT_TYPE, content }],
    resend: dispatch && ((message) => store.exclusively(() => transmitFhir(message, dispatch))),
  }
}

interface Checkable {
  check(): Promise<void>
}

async function tryParts(sides: Record<string, Checkable | null>): Promise<ConnectionCheck[]> {
  const checks = await Promise.all(
    Object.entries(sides).map(([name, side]) => side && tryPart(name, () => side.check())),
  )
  return checks.filter((check) => check !== null)
}

async function tryPart(name: string, work: () => Promise<void>): Promise<ConnectionCheck> {
  try {
    await work()
    return { name, problem: null, detail: null }
  } catch (error) {
    const { code } = error as { code?: unknown }
    return { name, problem: typeof code === 'string' ? code : 'failed', detail: null }
  }
}
