import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** An authenticator as Web Authentication describes it, with one passkey. */
export class TestAuthenticator {
  readonly #origin: string
  readonly #rpIdHash: Buffer
  readonly #id = randomBytes(16)
  readonly #publicKey: KeyObject
  readonly #privateKey: KeyObject
  /** Signatures that it made; a copy of it would count for itself. */
  count = 0
  /** Whether it asks for a finger or a code. */
  verifiesUser = true

  constructor(origin = 'http://localhost') {
    this.#origin = origin
    this.#rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest()
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#publicKey = publicKey
    this.#privateKey = privateKey
  }

  /** Answers a challenge to create the passkey. */
  create(challenge: string) {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    // COSE: an elliptic curve key of P-256 for ES256.
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    const attested = [Buffer.alloc(16), length, this.#id, Buffer.from(isoCBOR.encode(key))]
    const authData = Buffer.concat([this.#data(0x40), ...attested])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    const attestationObject = Buffer.from(isoCBOR.encode(attestation as never))
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Answers a challenge to sign in. */
  get(challenge: string) {
    const clientData = this.#clientData('webauthn.get', challenge)
    this.count += 1
    const data = this.#data()
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
    })
  }

  #data(flags = 0): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.count)
    const present = this.verifiesUser ? 0x05 : 0x01
    return Buffer.concat([this.#rpIdHash, Buffer.from([present | flags]), counter])
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin }))
  }

  #answer<Response extends object>(response: Response) {
    const id = this.#id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response } as const
  }
}
