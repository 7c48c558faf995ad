/// <reference types="@fastify/swagger" preserve="true" />
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Actor } from '../audit/audited-requests.ts'
import type { Db } from '../postgres/database.ts'
import type { Scope, Transact } from '../scope.ts'
import type { SignIns } from '../sign-in/sign-ins.ts'
import type { JSON_LIMITS } from './json-limits.ts'
import type { DescribeAccess, DescribeAction } from './route-actions.ts'

/** The HTTP application, with handler types inferred from the route schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

// The fields of requests, routes and the application are declared here, so that every file that
// registers routes sees them.
declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Requests are not counted by address, because they are probes or have a limit of their own.
     */
    isUnlimited?: boolean
    /** Whether the route also answers while the process stops. */
    isServedWhileStopping?: boolean
    /** Media types that this route can answer with; by default those of its schema and JSON. */
    produces?: string[]
    /** Whether the route itself reports unknown parameters of the query. */
    checksQuery?: boolean
    /** Whether a hook of the route gives answers an ETag. */
    hasTag?: boolean
    /** Whether answers have an ETag that is a hash of their body. */
    hasBodyTag?: boolean
    /** Whether answers may have secrets, such as keys: they are not compressed. */
    hasSecrets?: boolean
    /** Limits of the JSON of this route's bodies, where they differ from JSON_LIMITS. */
    jsonLimits?: typeof JSON_LIMITS
    /** Whether the route also accepts bodies that are compressed by zstd. */
    takesZstd?: true
    /**
     * Reads bodies of a usual form in another way than the parser; undefined for any other body.
     * @param parse Parses a text at once.
     */
    readJson?: (bytes: Buffer, parse: (text: string) => unknown) => Promise<unknown>
    /**
     * Whether a request changes nothing, where its method does not show it: its audit row is not
     * waited for. The row of a GET that does change something, such as the callback of a sign-in,
     * is.
     */
    isRead?: boolean
    /**
     * The credential is the cookie of a session of the portal. `person`: closed to shares;
     * `shared`: a share gets the kinds that it includes; `laboratory`: it has to include results;
     * `any`: about the session itself.
     */
    portalAccess?: 'person' | 'shared' | 'laboratory' | 'any'
  }

  interface FastifyInstance {
    describeAction: DescribeAction
    describeAccess: DescribeAccess
  }

  interface FastifyRequest {
    /** Scope of a request of a team, or of one about an environment of it. */
    scope: Scope
    /**
     * Where an operation across environments reads: the primary, or a replica where
     * `registerReplicaReads` has the operation. The others read from `scope`.
     */
    readDb: Db
    /**
     * The part of the client's address that one client has as a whole. Undefined where it cannot be
     * known: the request came through a proxy, and SALUS_TRUSTED_PROXIES names none.
     */
    readonly clientNetwork: string | undefined
    /**
     * Counts a request that authentication is about to refuse.
     * @throws RateLimitError 429 for many of one address
     */
    countStranger(): void
    actor: Actor | null
    /** Logs the answer of a route that has taken it over from the framework, with its status. */
    audit: (status: number) => Promise<void> | undefined
    /** For the scope of a request that may change something: logs the change in its transaction. */
    transact: Transact | undefined
    readonly signIns: SignIns
  }
}
