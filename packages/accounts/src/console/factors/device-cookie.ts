import { createHmac, randomBytes } from 'node:crypto'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CookieConfig, sessionCookieOf } from '../session-cookie.ts'

/**
 * Cookie of a browser in which a user signed in before. Its attempts are counted apart from those
 * of strangers, who can therefore not lock the user out (OWASP, Slow Down Online Guessing Attacks
 * with Device Cookies). It opens nothing.
 */
const DAYS = 180

const nameOf = (request: FastifyRequest, config: CookieConfig): string =>
  `${sessionCookieOf(request, config).name}-device`

const sign = (key: Buffer, content: string): string =>
  createHmac('sha256', key).update(content).digest('base64url')

const keysOf = (secrets: SecretBox): readonly Buffer[] =>
  secrets.deriveKeys('device cookies of the console')

/** A browser that a user has signed in with. */
export interface KnownDevice {
  userId: string
  deviceId: string
}

export function setDeviceCookie(
  reply: FastifyReply,
  { config, secrets }: { config: CookieConfig; secrets: SecretBox },
  userId: string,
): void {
  const content = `${userId}.${randomBytes(16).toString('base64url')}`
  const { options } = sessionCookieOf(reply.request, config)
  const value = `${content}.${sign(keysOf(secrets)[0] as Buffer, content)}`
  reply.setCookie(nameOf(reply.request, config), value, { ...options, maxAge: DAYS * DAY_SECONDS })
}

/** Reads the cookie; undefined when there is none, or this deployment did not write it. */
export function readDeviceCookie(
  request: FastifyRequest,
  { config, secrets }: { config: CookieConfig; secrets: SecretBox },
): KnownDevice | undefined {
  const value = request.cookies[nameOf(request, config)]
  const [userId, deviceId, signature] = value?.split('.') ?? []
  if (userId === undefined || deviceId === undefined || signature === undefined) return undefined
  const content = `${userId}.${deviceId}`
  const isOurs = keysOf(secrets).some((key) => isEqualSecret(signature, sign(key, content)))
  return isOurs ? { userId, deviceId } : undefined
}
