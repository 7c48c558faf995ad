import { isIP, Socket } from 'node:net'
import { buildConnector } from 'undici'
import { createCheckedLookup, type Lookup } from './checked-lookup.ts'
import { ConnectFailure } from './connect-failure.ts'
import type { Connect, ConnectionOptions } from './connection.ts'
import { createNameServerLookup } from './name-server-lookup.ts'
import { OriginConnections } from './origin-connections.ts'
import { isPublicAddress } from './public-address.ts'

export interface OutboundAgentOptions {
  /**
   * Whether to connect to private addresses too: for tests and for services next to a self-hosted
   * one.
   */
  readonly allowPrivate: boolean
  readonly lookup?: Lookup
  readonly connectionsPerOrigin?: number
  /** Time limit for opening a connection, including TLS; 15 s by default. */
  readonly connectTimeoutMs?: number
  readonly keepAliveTimeoutMs?: number
}

export interface OutboundAgent {
  /** Number of origins for which it holds connections or state. */
  readonly originCount: number
  /**
   * Returns the connections of an origin, for use at once: later they may have been removed.
   * @throws Error once the agent is closed, or if the origin is not one of http or https.
   */
  connectionsOf(origin: string): OriginConnections
  /** Accepts no more requests, and waits for those in progress. */
  close(): Promise<void>
  /** Accepts no more requests, and breaks off those in progress: their `post` rejects. */
  destroy(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 15_000
/**
 * Time before the next address of a name is tried. The default of 250 ms is less than some round
 * trips.
 */
const ADDRESS_TIMEOUT_MS = 1_000

/** Codes of system errors, such as ECONNRESET. Those of TLS are written with underscores. */
const SYSTEM_ERROR = /^E[A-Z0-9]+$/

function nameConnectError(error: Error, protocol: string): Error {
  if (error instanceof ConnectFailure || protocol !== 'https:') return error
  const code = 'code' in error ? String(error.code) : ''
  const isOfConnection = code.startsWith('UND_ERR_') || SYSTEM_ERROR.test(code)
  return isOfConnection && code !== 'EPROTO' ? error : new ConnectFailure('tls')
}

function createConnect(options: OutboundAgentOptions): Connect {
  const { allowPrivate, lookup = createNameServerLookup(allowPrivate) } = options
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const connector = buildConnector({
    timeout: connectTimeoutMs,
    lookup: createCheckedLookup(lookup, allowPrivate),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  })
  return (target, callback) => {
    // A socket only looks up names, so an address has to be checked here.
    if (!allowPrivate && isIP(target.hostname) !== 0 && !isPublicAddress(target.hostname)) {
      process.nextTick(callback, new ConnectFailure('refused_address'), null)
      return undefined
    }
    // Its type does not say that it returns the socket.
    const socket: unknown = connector(target, (...[error, opened]) => {
      if (error) callback(nameConnectError(error, target.protocol), null)
      else callback(null, opened)
    })
    return socket instanceof Socket ? socket : undefined
  }
}

class OriginRegistry implements OutboundAgent {
  readonly #limit: number
  readonly #options: ConnectionOptions
  readonly #origins = new Map<string, OriginConnections>()
  readonly #sweepTimer: NodeJS.Timeout
  #usedSinceSweep = new Set<OriginConnections>()
  #isClosed = false

  constructor(limit: number, options: ConnectionOptions) {
    this.#limit = limit
    this.#options = options
    this.#sweepTimer = setInterval(() => this.#sweep(), options.keepAliveTimeoutMs).unref()
  }

  get originCount(): number {
    return this.#origins.size
  }

  connectionsOf(origin: string): OriginConnections {
    if (this.#isClosed) throw new Error('The outbound agent is closed.')
    let connections = this.#origins.get(origin)
    if (connections === undefined) {
      connections = new OriginConnections(origin, this.#limit, this.#options)
      this.#origins.set(origin, connections)
    }
    this.#usedSinceSweep.add(connections)
    return connections
  }

  async close(): Promise<void> {
    this.#stop()
    await Promise.all([...this.#origins.values()].map((connections) => connections.close()))
  }

  async destroy(): Promise<void> {
    this.#stop()
    await Promise.all([...this.#origins.values()].map((connections) => connections.destroy()))
  }

  #stop(): void {
    this.#isClosed = true
    clearInterval(this.#sweepTimer)
  }

  #sweep(): void {
    for (const [origin, connections] of this.#origins) {
      if (this.#usedSinceSweep.has(connections) || !connections.isQuiet) continue
      this.#origins.delete(origin)
      void connections.destroy()
    }
    this.#usedSinceSweep = new Set()
  }
}

/**
 * Opens connections to addresses that customers chose: to public ones only, unless `allowPrivate`.
 * Any other address fails with ConnectFailure `refused_address` before a packet is sent. A
 * connection is kept for `keepAliveTimeoutMs` (4 s), and an origin is removed soon after, so
 * thousands of them do not add up. Beyond `connectionsPerOrigin` (8) requests queue, and their time
 * limit runs meanwhile.
 */
export function createOutboundAgent(options: OutboundAgentOptions): OutboundAgent {
  const { connectionsPerOrigin = 8, keepAliveTimeoutMs = 4_000 } = options
  const connect = createConnect(options)
  return new OriginRegistry(connectionsPerOrigin, { connect, keepAliveTimeoutMs })
}
