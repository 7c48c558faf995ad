import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CookieConfig, sessionCookieOf } from '../session-cookie.ts'
import type { SignInChecks } from './openid-client.ts'

/** Minutes that a user may take at the provider. */
const MINUTES = 15

/** Values that the browser stores while it is at the provider. */
export interface PendingSignIn extends SignInChecks {
  /** View to come back to, below `/console`, as it was given. */
  to: string
}

/**
 * Sets the cookie with these values in the browser, or removes it. Unlike that of the session, this
 * cookie has to be sent when the provider redirects the browser back.
 */
export function setPendingCookie(
  reply: FastifyReply,
  config: CookieConfig,
  pending: PendingSignIn | undefined,
): void {
  const { name, options } = sessionCookieOf(reply.request, config)
  const value = pending && Buffer.from(JSON.stringify(pending)).toString('base64url')
  const maxAge = pending === undefined ? 0 : MINUTES * 60
  reply.setCookie(`${name}-openid`, value ?? '', { ...options, sameSite: 'lax', maxAge })
}

/** Reads the cookie; undefined when there is none, or this server did not write it. */
export function readPendingCookie(
  request: FastifyRequest,
  config: CookieConfig,
): PendingSignIn | undefined {
  const { name } = sessionCookieOf(request, config)
  const value = request.cookies[`${name}-openid`]
  if (!value) return undefined
  try {
    const pending: Partial<PendingSignIn> = JSON.parse(Buffer.from(value, 'base64url').toString())
    const { state, nonce, codeVerifier, to } = pending
    const isWhole = [state, nonce, codeVerifier, to].every((part) => typeof part === 'string')
    return isWhole ? (pending as PendingSignIn) : undefined
  } catch {
    return undefined
  }
}
