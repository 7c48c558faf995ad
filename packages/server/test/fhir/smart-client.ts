import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'

/** A key pair of a client, with which it signs assertions. */
export interface ClientKey {
  alg: 'RS384' | 'ES384'
  /** Public part, for the registration. */
  jwk: Record<string, unknown>
  pem: string
}

export function makeClientKey(alg: ClientKey['alg'] = 'ES384'): ClientKey {
  const { publicKey, privateKey } =
    alg === 'ES384'
      ? generateKeyPairSync('ec', { namedCurve: 'P-384' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg, kid: randomUUID(), use: 'sig' }
  return { alg, jwk, pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns the assertion of a client, which is valid for a minute unless the changes say other. */
export function makeAssertion(
  { alg, jwk, pem }: ClientKey,
  { clientId, audience, now }: { clientId: string; audience: string; now: Date },
  changes: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): string {
  const exp = Math.floor(now.getTime() / 1000) + 60
  const claims = { iss: clientId, sub: clientId, aud: audience, exp, jti: randomUUID(), ...changes }
  const content = `${encode({ alg, typ: 'JWT', kid: jwk.kid, ...header })}.${encode(claims)}`
  const key = createPrivateKey(pem)
  const signature = sign('sha384', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

/** Fields of a token request. */
export const tokenRequest = (assertion: string, scope = 'system/*.rs'): Record<string, string> => ({
  grant_type: 'client_credentials',
  scope,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: assertion,
})
