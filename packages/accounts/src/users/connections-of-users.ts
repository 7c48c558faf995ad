import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { RawBuilder } from 'kysely'
import type { TSchema, TUnsafe } from 'typebox'

/**
 * What the records of users show of their connections, and how these end; connections bring it
 * along.
 */
export interface ConnectionsOfUsers {
  schemas: ConnectionSchemas
  /**
   * The connections of users by user id; a user without any may be missing.
   * @param baseUrl The public address of the deployment, for logos.
   */
  show(
    scope: Scope,
    userIds: readonly string[],
    baseUrl: string,
  ): Promise<ReadonlyMap<string, ShownConnections>>
  /** The condition that a row of `users` has such a connection. */
  isConnected(filter: ConnectionFilter): RawBuilder<boolean>
  /** Connections of living and deleted users that did not end. */
  count(scope: Scope): Promise<{ connected: number; errored: number }>
  /** New connections by the ISO week in which they were made, oldest first. */
  countByWeek(scope: Scope): Promise<{ week: Date; made: number }[]>
  /** Ends all connections of a user who is deleted. */
  end(tx: TransactionScope, userId: string): Promise<void>
  /** Pauses the connections of a user whose ingestion ended long enough ago. */
  pauseEnded(tx: TransactionScope, userId: string): Promise<void>
}

/** Schemas of what is shown and searched, as parts of requests and answers of users. */
export interface ConnectionSchemas {
  connectedSources: TSchema
  foundConnections: TSchema
  provider: TUnsafe<string>
  status: TUnsafe<string>
}

export interface ConnectionFilter {
  provider: string | null
  status: string | null
}

/** In the shapes of ConnectionSchemas. */
export interface ShownConnections {
  connectedSources: readonly unknown[]
  foundConnections: readonly unknown[]
}
