import { enterEnvironment } from '@salus/accounts/teams'
import type {
  ConnectionStore,
  Deliver,
  LabConnection,
  LabGateway,
  OpenedConnection,
  ResultTransport,
} from '@salus/contracts/lab-gateway'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { ListeningLoop } from '@salus/kernel/postgres/listening-loop'
import { rowScope, type Scope, type Stores } from '@salus/kernel/scope'
import type pg from 'pg'
import type { ConnectedGateways } from '../gateways/index.ts'
import { createConnectionStore } from './connection-store.service.ts'
import {
  type ConnectionRow,
  type KnownConnection,
  listConnections,
} from './connections.global.repository.ts'
import { CONNECTIONS_CHANNEL, updateConnection } from './connections.repository.ts'
import { readSecretOf } from './secrets.ts'
import { SendingTurns } from './sending-turns.ts'
import { toConnection } from './to-connection.ts'

/** What receives the posts of a laboratory, and how it has to sign in. */
export interface PostReceiver {
  receive: NonNullable<OpenedConnection['receive']>
  auth: Extract<ResultTransport, { kind: 'http-receive' }>['auth']
  readSecret: (reference: string) => Promise<string>
}

/** Makes the gateway of a connection; the composition root has the implementations. */
export type OpenConnection = (connection: LabConnection, store: ConnectionStore) => OpenedConnection

interface RegistryParts extends Stores {
  pool: pg.Pool
  secrets: SecretBox
  openConnection: OpenConnection
}

/** Milliseconds between two looks at the stored connections. */
const POLL_MS = 2000
const MINUTE_MS = 60_000

interface Entry {
  row: KnownConnection
  opened: OpenedConnection
  isReceiving: boolean
  /** The last opening or closing of the gateway, which the next one waits for. */
  turn: Promise<unknown>
}

/**
 * The gateways of stored connections in this process. Every process sends through them; one
 * process receives for each connection, and another takes over when it ends.
 */
export class ConnectionRegistry implements ConnectedGateways {
  readonly #parts: RegistryParts
  readonly #entries = new Map<string, Entry>()
  #deliver: Parameters<ConnectedGateways['open']>[0] | undefined
  #loop: ListeningLoop | undefined
  readonly #turns = new SendingTurns({
    tryLock: async (key) => this.#requireLoop().tryLock(key),
    unlock: async (key) => this.#loop?.unlock(key),
  })
  /** The first reading, which all that need it share. */
  #loading: Promise<void> | undefined
  #isLoaded = false

  constructor(parts: RegistryParts) {
    this.#parts = parts
  }

  async find(environmentId: string, labSlug: string): Promise<LabGateway | undefined> {
    await this.ready()
    const fits = ({ row }: Entry) =>
      row.environment_id === environmentId && row.lab_slug === labSlug && row.is_enabled
    return [...this.#entries.values()].find(fits)?.opened.gateway
  }

  async byName(environmentId: string, name: string): Promise<LabGateway | undefined> {
    await this.ready()
    const fits = ({ row, opened }: Entry) =>
      row.environment_id === environmentId && opened.gateway.name === name
    return [...this.#entries.values()].find(fits)?.opened.gateway
  }

  /** Makes the gateway of a row that may not be stored, for checks and rehearsals. */
  openRow(row: ConnectionRow, environmentKind: KnownConnection['environment_kind']) {
    return this.#make({ ...row, environment_kind: environmentKind })
  }

  /** Returns an enabled connection, open; undefined when there is none. */
  async openedOf(connectionId: string): Promise<OpenedConnection | undefined> {
    await this.ready()
    const entry = this.#entries.get(connectionId)
    return entry?.row.is_enabled ? entry.opened : undefined
  }

  /** Returns what receives the posts of a laboratory; undefined for another connection. */
  async postsOf(connectionId: string): Promise<PostReceiver | undefined> {
    await this.ready()
    const entry = this.#entries.get(connectionId)
    const receive = entry?.row.is_enabled ? entry.opened.receive : null
    const results = entry?.row.config.results
    if (entry === undefined || receive === null || results?.kind !== 'http-receive')
      return undefined
    // Any process may receive posts, so there is no owner.
    await this.#open(entry)
    const readSecret = (reference: string) =>
      readSecretOf(entry.row, this.#parts.secrets, reference)
    return { receive, auth: results.auth, readSecret }
  }

  open(deliver: Parameters<ConnectedGateways['open']>[0]): void {
    this.#deliver = deliver
    // The first caller that needs the connections tries again, and gets the error.
    this.refresh().catch(() => undefined)
  }

  /**
   * Keeps the connections in memory from now on.
   * @param isReceiver whether this process may receive for connections
   */
  start({ isReceiver }: { isReceiver: boolean }): void {
    const { pool, log } = this.#parts
    this.#loop = new ListeningLoop({
      pool,
      channels: [CONNECTIONS_CHANNEL],
      onNotification: () => void this.#loop?.poll(),
      // Another process may receive now.
      onLost: () => void this.#stopReceiving(),
      poll: async () => {
        await this.refresh()
        if (isReceiver) await this.#receive()
      },
      pollMs: POLL_MS,
      onError: (error) => log.warn({ err: error }, 'laboratory connections could not be read'),
    })
  }

  async close(): Promise<void> {
    await this.#loop?.stop()
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.all(entries.map(closeGateway))
    const loop = this.#loop
    this.#loop = undefined
    await loop?.close()
  }

  /** Reads the stored connections again, after a change of this process. */
  refresh(): Promise<void> {
    this.#loading = this.#read().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  /**
   * Waits for the first reading. Later ones are not waited for, because one needs a database
   * connection, and callers may hold all of them with their transactions.
   */
  async ready(): Promise<void> {
    if (!this.#isLoaded) await (this.#loading ?? this.refresh())
  }

  async #read(): Promise<void> {
    const rows = await listConnections(this.#parts.db)
    const present = new Set(rows.map(({ id }) => id))
    for (const [id, entry] of this.#entries) {
      if (present.has(id)) continue
      this.#entries.delete(id)
      await this.#retire(entry)
    }
    for (const row of rows) {
      const known = this.#entries.get(row.id)
      if (known?.row.updated_at.getTime() === row.updated_at.getTime()) continue
      const opened = this.#tryMake(row)
      if (opened === undefined) this.#entries.delete(row.id)
      else this.#entries.set(row.id, { row, opened, isReceiving: false, turn: Promise.resolve() })
      if (known !== undefined) await this.#retire(known)
    }
    this.#isLoaded = true
  }

  /** A connection that a newer version refuses must not stop the others. */
  #tryMake(row: KnownConnection): OpenedConnection | undefined {
    try {
      return this.#make(row)
    } catch (error) {
      this.#parts.log.error({ err: error, connectionId: row.id }, 'a connection cannot be used')
      return undefined
    }
  }

  #make(row: KnownConnection): OpenedConnection {
    const connection = toConnection(row, this.#parts.secrets)
    const enter = async (): Promise<Scope> => {
      const scope = await enterEnvironment(this.#parts, row.environment_id)
      if (scope === undefined) throw new Error('The environment of a connection is gone.')
      return scope
    }
    const { clock, openConnection } = this.#parts
    const store = createConnectionStore(connection, { turns: this.#turns, clock, enter })
    return openConnection(connection, store)
  }

  /** The session whose locks order the sends of all processes. */
  #requireLoop(): ListeningLoop {
    if (this.#loop === undefined) throw new Error('Connections send after start and before close.')
    return this.#loop
  }

  async #receive(): Promise<void> {
    for (const entry of this.#entries.values()) {
      const { row, opened, isReceiving } = entry
      const isWanted = row.is_enabled && row.config.results !== undefined && opened.receive === null
      if (!isWanted || isReceiving) continue
      if (await this.#loop?.tryLock(lockOf(row.id))) await this.#open(entry)
    }
  }

  /** Opens the inbound side, and stores which problem prevents it. */
  async #open(entry: Entry): Promise<void> {
    const deliver = this.#deliver
    if (entry.isReceiving || deliver === undefined) return
    const { row, opened } = entry
    entry.isReceiving = true
    try {
      const { name } = opened.gateway
      const forward: Deliver = async (message) => {
        const receipt = await deliver(name, message)
        await this.#recordReceived(row)
        return receipt
      }
      await inTurn(entry, async () => opened.gateway.open(forward))
      await this.#recordProblem(row, null)
    } catch (error) {
      entry.isReceiving = false
      await this.#loop?.unlock(lockOf(row.id))
      await this.#recordProblem(row, codeOf(error))
      this.#parts.log.warn({ err: error, connectionId: row.id }, 'a connection cannot receive')
    }
  }

  /** Stores when the last message came, at most once a minute. */
  async #recordReceived(row: KnownConnection): Promise<void> {
    const now = this.#parts.clock.now()
    if (row.last_received_at && now.getTime() - row.last_received_at.getTime() < MINUTE_MS) return
    row.last_received_at = now
    const scope = rowScope(this.#parts.db, row.environment_id)
    await updateConnection(scope, row.id, { last_received_at: now })
  }

  async #recordProblem(row: KnownConnection, problem: string | null): Promise<void> {
    if (row.receiving_problem === problem) return
    row.receiving_problem = problem
    const scope = rowScope(this.#parts.db, row.environment_id)
    await updateConnection(scope, row.id, { receiving_problem: problem })
  }

  /** Closes a gateway that another one replaced, and lets it receive. */
  async #retire(entry: Entry): Promise<void> {
    await closeGateway(entry)
    if (entry.isReceiving) await this.#loop?.unlock(lockOf(entry.row.id))
  }

  async #stopReceiving(): Promise<void> {
    const receiving = [...this.#entries.values()].filter(({ isReceiving }) => isReceiving)
    for (const entry of receiving) entry.isReceiving = false
    await Promise.all(receiving.map(closeGateway))
  }
}

/**
 * Opens or closes a gateway when what was begun before has ended: a lock may be lost while its
 * gateway opens, and be taken again while it closes.
 */
function inTurn(entry: Entry, work: () => void | Promise<void>): Promise<void> {
  const next = entry.turn.then(work)
  entry.turn = next.catch(() => undefined)
  return next
}

const closeGateway = (entry: Entry): Promise<void> =>
  inTurn(entry, () => entry.opened.gateway.close())

const lockOf = (connectionId: string): string => `lab connection ${connectionId}`

/** Returns a short code of a transport's problem, such as EADDRINUSE. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code.slice(0, 100) : 'not_opened'
}
