import type { LabConnection } from '@salus/contracts/lab-gateway'
import type { Log } from '@salus/kernel/log'
import type { OutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createFolderReceiver, createFolderSender } from './folder.ts'
import {
  createHttpPoller,
  createHttpSender,
  createPostReceiver,
  type PostReceiver,
} from './http.ts'
import { createLabFetch, type HttpAuth } from './http-auth.ts'
import { createMllpReceiver } from './mllp-receiver.ts'
import { createMllpSender } from './mllp-sender.ts'
import { createSftpReceiver, createSftpSender } from './sftp.ts'
import type { Receiver, Sender } from './transport.ts'

export interface TransportParts {
  /** May reach private addresses: laboratories are behind VPNs, and only operators name them. */
  agent: OutboundAgent
  log: Log
}

/** The transports of a connection; null where it only sends or only receives. */
export interface Transports {
  sender: Sender | null
  receiver: Receiver | null
  /** The receiver, where the laboratory posts to Salus. */
  posts: PostReceiver | null
}

/** Creates the transports that a connection names, without opening them. */
export function createTransports(
  { config, readSecret }: Pick<LabConnection, 'config' | 'readSecret'>,
  { agent, log }: TransportParts,
): Transports {
  const fetchOf = (auth: HttpAuth | undefined, seconds?: number) =>
    createLabFetch(agent, auth, readSecret, seconds)
  const sender = (): Sender | null => {
    const { orders } = config
    if (orders === undefined || orders.kind === 'fhir') return null
    if (orders.kind === 'mllp') return createMllpSender(orders, readSecret)
    if (orders.kind === 'sftp') return createSftpSender(orders, readSecret)
    if (orders.kind === 'folder') return createFolderSender(orders)
    return createHttpSender(orders, fetchOf(orders.auth, orders.timeout_seconds))
  }
  const receiver = (): Receiver | PostReceiver | null => {
    const { results } = config
    if (results === undefined || results.kind === 'fhir-poll') return null
    if (results.kind === 'mllp-listen') return createMllpReceiver(results, readSecret, log)
    if (results.kind === 'sftp-poll') return createSftpReceiver(results, readSecret, log)
    if (results.kind === 'folder-poll') return createFolderReceiver(results, log)
    if (results.kind === 'http-receive') return createPostReceiver()
    return createHttpPoller(results, fetchOf(results.auth), log)
  }
  const created = receiver()
  return {
    sender: sender(),
    receiver: created,
    posts: created !== null && 'receive' in created ? created : null,
  }
}
