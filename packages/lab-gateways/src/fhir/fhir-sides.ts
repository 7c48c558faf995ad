import type { ConnectionStore, LabConnection } from '@salus/contracts/lab-gateway'
import type { TransportParts } from '../transports/create-transports.ts'
import type { PostReceiver } from '../transports/http.ts'
import { createLabFetch } from '../transports/http-auth.ts'
import type { Receiver } from '../transports/transport.ts'
import { resolveFhirConnection } from './connection.ts'
import { createNotifiedReceiver } from './exchange/notifications.ts'
import { createFhirPoller, createFhirSearch } from './exchange/poll.ts'
import type { FhirDispatch } from './exchange/send.ts'

/** The two directions of a connection to a FHIR server; null for one that it does not have. */
export interface FhirSides {
  dispatch: FhirDispatch | null
  receiver: Receiver | null
  /** The receiver, where the laboratory posts to Salus. */
  posts: PostReceiver | null
}

const withoutSlash = (base: string): string => base.replace(/\/+$/, '')

/** Creates the sides of a connection without opening them. */
export function createFhirSides(
  { config, readSecret }: LabConnection,
  store: ConnectionStore,
  { agent, log }: TransportParts,
): FhirSides {
  const { orders, results } = config
  const dispatch: FhirDispatch | null =
    orders?.kind === 'fhir'
      ? {
          rules: resolveFhirConnection(config),
          store,
          fetch: createLabFetch(agent, orders.auth, readSecret, orders.timeout_seconds),
          base: withoutSlash(orders.base),
          shape: orders.shape ?? 'transaction',
        }
      : null
  // A notification names no server, so that of the orders is searched.
  const search = dispatch && createFhirSearch({}, { source: dispatch, store })
  const posts = results?.kind === 'http-receive' ? createNotifiedReceiver(search) : null
  return {
    dispatch,
    receiver:
      results?.kind === 'fhir-poll'
        ? createFhirPoller(results, {
            source: {
              fetch: createLabFetch(agent, results.auth, readSecret),
              base: withoutSlash(results.base),
            },
            store,
            log,
          })
        : posts,
    posts,
  }
}
