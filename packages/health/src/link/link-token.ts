import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { isUuid } from '@salus/kernel/ids'
import { compactVerify, errors, SignJWT } from 'jose'

/**
 * Purposes of the keys that sign. A continuation is no link token: it only starts a further session
 * after the one that it names has connected an account.
 */
const PURPOSES = { link: 'link tokens', continuation: 'link continuations' } as const
type Kind = keyof typeof PURPOSES

/** Claims of a link token (docs/contract/03-link.md#link-token). */
interface LinkTokenClaims {
  sessionId: string
  /** Epoch seconds. */
  expiresAt: number
}

/**
 * Signs a link token, or the continuation of its session.
 * @param baseUrl Public address of the deployment.
 */
export function signLinkToken(
  secrets: SecretBox,
  baseUrl: string,
  session: { id: string; teamId: string; userId: string; issuedAt: Date; expiresAt: Date },
  kind: Kind = 'link',
): Promise<string> {
  const [key] = secrets.deriveKeys(PURPOSES[kind])
  return new SignJWT({ team_id: session.teamId, user_id: session.userId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(`${baseUrl}/v2/link`)
    .setSubject(session.id)
    .setIssuedAt(session.issuedAt)
    .setExpirationTime(session.expiresAt)
    .sign(key as Buffer)
}

/**
 * Reads a token that this deployment signed; returns undefined for any other text. Neither expiry
 * nor audience is checked: the session has the expiry, the key signs only these tokens, and a
 * deployment may have several names.
 */
export async function readLinkToken(
  secrets: SecretBox,
  token: string,
  kind: Kind = 'link',
): Promise<LinkTokenClaims | undefined> {
  for (const key of secrets.deriveKeys(PURPOSES[kind])) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: ['HS256'] })
      const { sub, exp } = JSON.parse(Buffer.from(payload).toString('utf8'))
      if (typeof sub !== 'string' || !isUuid(sub) || typeof exp !== 'number') return undefined
      return { sessionId: sub, expiresAt: exp }
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
    }
  }
  return undefined
}
