import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { State } from './state.ts'

const KEY = 'token-key'

/** Tokens that contain their data, signed with a key that all processes share. */
export class Tokens {
  readonly #state: State
  #key: Promise<Buffer> | undefined

  constructor(state: State) {
    this.#state = state
  }

  /** @param kind A token of one kind is not valid as another. */
  async sign(kind: string, content: object): Promise<string> {
    const body = Buffer.from(JSON.stringify(content)).toString('base64url')
    return `${body}.${(await this.#signatureOf(kind, body)).toString('base64url')}`
  }

  /** Returns the content of a token; undefined for text that is not a token of this kind. */
  async read<T>(kind: string, token: string): Promise<T | undefined> {
    const [body = '', signature = ''] = token.split('.')
    const given = Buffer.from(signature, 'base64url')
    const right = await this.#signatureOf(kind, body)
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
    return JSON.parse(Buffer.from(body, 'base64url').toString())
  }

  async #signatureOf(kind: string, body: string): Promise<Buffer> {
    this.#key ??= this.#openKey()
    return createHmac('sha256', await this.#key)
      .update(`${kind}.${body}`)
      .digest()
  }

  async #openKey(): Promise<Buffer> {
    try {
      const made = randomBytes(32).toString('base64')
      return Buffer.from(
        (await this.#state.update<string>(KEY, (known) => known ?? made)) ?? '',
        'base64',
      )
    } catch (error) {
      this.#key = undefined
      throw error
    }
  }
}
