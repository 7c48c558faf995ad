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
import type { Scope, Transact } from '../scope.ts'
import type { SignIns } from '../sign-in/sign-ins.ts'
import type { JSON_LIMITS } from './json-limits.ts'
import type { DescribeAction } from './route-actions.ts'

/** The HTTP application, with handler types inferred from the route schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

// What requests, routes and the application carry stands here, so that whoever registers routes
// sees it.
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests are not counted by address: they are probes, or have a limit of their own. */
    isUnlimited?: boolean
    /** Answers also while the process stops. */
    isServedWhileStopping?: boolean
    /** Media types this route can answer with; those of its schema and JSON when left out. */
    produces?: string[]
    /** Limits of the JSON of this route's bodies, where they are not JSON_LIMITS. */
    jsonLimits?: typeof JSON_LIMITS
    /**
     * Whether a request changes nothing, where its method does not tell: its row is not waited for.
     * That of a GET that does change something, such as the way back of a sign-in, is.
     */
    isRead?: boolean
  }

  interface FastifyInstance {
    describeAction: DescribeAction
  }

  interface FastifyRequest {
    /** What a request of a team, or one about an environment of it, works in. */
    scope: Scope
    /**
     * Of the client's address as much as one client has as a whole. Undefined where it cannot be
     * known: the request came through a proxy, and SALUS_TRUSTED_PROXIES names none.
     */
    readonly clientNetwork: string | undefined
    /**
     * Counts a request that authentication is about to refuse.
     * @throws RateLimitError 429 of many of one address
     */
    countStranger(): void
    actor: Actor | null
    /**
     * Tells the log of an answer that a route has taken over from the framework, with its status.
     */
    audit: (status: number) => Promise<void> | undefined
    /**
     * For the scope of a request that may change something: tells the log of the change in its
     * transaction.
     */
    transact: Transact | undefined
    readonly signIns: SignIns
  }
}
