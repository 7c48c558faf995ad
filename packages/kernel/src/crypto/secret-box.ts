import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Seals short texts that must be readable again, such as the signing secrets of endpoints. */
export interface SecretBox {
  /** Id of the sealing key; what it seals begins with it. */
  readonly keyId: Buffer
  /** `context` names what the text belongs to; it must be the same to open it. */
  seal(text: string, context: string): Buffer
  /** @throws Error when no key fits or the context is another one. */
  open(sealed: Buffer, context: string): string
  /**
   * Returns keys of 32 bytes for another purpose, such as signing tokens, the same in every
   * process: the first is for new items, the others verify items from before a rotation.
   */
  deriveKeys(purpose: string): readonly Buffer[]
}

export const SECRET_KEY_BYTES = 32
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

const keyIdOf = (key: Buffer): Buffer =>
  createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES)

/**
 * Creates a box of AES-256-GCM with the layout key id, nonce, tag, ciphertext. The first key seals;
 * the others only open what they sealed before a rotation.
 */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const [first] = keys
  if (first === undefined || keys.some((key) => key.length !== SECRET_KEY_BYTES)) {
    throw new RangeError('A secret box needs keys of 32 bytes.')
  }
  const byId = new Map(keys.map((key) => [keyIdOf(key).toString('hex'), key]))
  return {
    keyId: keyIdOf(first),
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, first, nonce).setAAD(Buffer.from(context))
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([keyIdOf(first), nonce, cipher.getAuthTag(), content])
    },
    open(sealed, context) {
      const key = byId.get(sealed.toString('hex', 0, KEY_ID_BYTES))
      if (key === undefined) throw new Error('The text was sealed with a key that is not given.')
      const tagAt = KEY_ID_BYTES + NONCE_BYTES
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(KEY_ID_BYTES, tagAt))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES))
      const content = decipher.update(sealed.subarray(tagAt + TAG_BYTES))
      return Buffer.concat([content, decipher.final()]).toString('utf8')
    },
    deriveKeys: (purpose) =>
      keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, SECRET_KEY_BYTES))),
  }
}
