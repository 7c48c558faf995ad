import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { RawBuilder } from 'kysely'
import type { TSchema, TUnsafe } from 'typebox'

/**
 * Connections of users, as the domain of connections provides them: how records of users show them,
 * and how they end.
 */
export interface ConnectionsOfUsers {
  schemas: ConnectionSchemas
  /**
   * Returns the connections of users by user id; a user without any may be missing.
   * @param baseUrl Public URL of the deployment, for logos.
   */
  show(
    scope: Scope,
    userIds: readonly string[],
    baseUrl: string,
  ): Promise<ReadonlyMap<string, ShownConnections>>
  /** Returns the condition that a row of `users` has such a connection. */
  isConnected(filter: ConnectionFilter): RawBuilder<boolean>
  /** Counts the connections of users, deleted or not, that did not end. */
  count(scope: Scope): Promise<{ connected: number; errored: number; paused: number }>
  /**
   * Returns the numbers of new connections by the ISO week in which they were made, the oldest
   * first.
   */
  countByWeek(scope: Scope): Promise<{ week: Date; made: number }[]>
  /** Ends all connections of a user who is deleted. */
  end(tx: TransactionScope, userId: string): Promise<void>
  /** Pauses the connections of a user whose ingestion ended long enough ago. */
  pauseEnded(tx: TransactionScope, userId: string): Promise<void>
}

/** Schemas of connections, as parts of requests and answers about users. */
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

/** Connections in the form of ConnectionSchemas. */
export interface ShownConnections {
  connectedSources: readonly unknown[]
  foundConnections: readonly unknown[]
}
