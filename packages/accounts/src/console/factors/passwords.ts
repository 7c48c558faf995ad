import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import { invalidInput } from '@salus/kernel/errors'
import { type OptionsType, ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Memory in KiB and passes that OWASP recommends for argon2id without parallel work. */
const MEMORY_KIB = 19_456
const PASSES = 2
const HASH_BYTES = 32
const SALT_BYTES = 16

const SHORTEST = 12
/** Of the five classes of zxcvbn: more than 10^8 guesses. */
const WEAKEST_SCORE = 3

const deriveKey = promisify(argon2)

const toText = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** Costs of a stored password; they may differ from those of new ones. */
interface Costs {
  memory: number
  passes: number
  parallelism: number
}

function derive(password: string, salt: Buffer, { memory, passes, parallelism }: Costs) {
  return deriveKey('argon2id', {
    // One person's keyboard may compose letters in another way than the next one.
    message: password.normalize('NFKC'),
    nonce: salt,
    memory,
    passes,
    parallelism,
    tagLength: HASH_BYTES,
  })
}

/** Returns argon2id in the form of the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const costs = { memory: MEMORY_KIB, passes: PASSES, parallelism: 1 }
  const hash = await derive(password, salt, costs)
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${toText(salt)}$${toText(hash)}`
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** A hash of no password: to check one against it takes as long as for a user. */
const NO_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${toText(Buffer.alloc(SALT_BYTES))}$${toText(Buffer.alloc(HASH_BYTES))}`

/**
 * Whether a password is that of a stored hash. Without a hash it takes as long, so that the time
 * does not show whether there is a user.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', hash = ''] = FORM.exec(stored ?? NO_HASH) ?? []
  const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const derived = await derive(password, Buffer.from(salt, 'base64'), costs)
  const isEqual = isEqualSecret(derived, Buffer.from(hash, 'base64'))
  return isEqual && stored !== null
}

/** Characters that a password has beside words about the user. */
const FEWEST_OTHERS = 8

function countOthers(password: string, words: readonly string[]): number {
  const known = words.filter(({ length }) => length > 2).sort((one, two) => two.length - one.length)
  const removed = known.reduce(
    (rest, word) => rest.replaceAll(word.toLowerCase(), ''),
    password.toLowerCase(),
  )
  return removed.replaceAll(/[^\p{L}\p{N}]/gu, '').length
}

let estimator: ZxcvbnFactory | undefined

/** Reads the lists of common passwords with the first use, because they take megabytes. */
function getEstimator(): ZxcvbnFactory {
  const options: OptionsType = { dictionary, graphs: adjacencyGraphs }
  estimator ??= new ZxcvbnFactory(options)
  return estimator
}

/**
 * Requires a password that is long and hard to guess, also for someone who knows the user.
 * @param known Words about the user, such as name and e-mail address
 * @throws AppError 422 `too_short`, `password_too_common`
 */
export function requireGoodPassword(password: string, known: readonly string[]): void {
  if ([...password].length < SHORTEST) {
    throw invalidInput(['body', 'password'], 'Use at least 12 characters', 'too_short')
  }
  const words = ['salus', ...known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])]
  const { score } = getEstimator().check(password, words.filter(Boolean))
  if (score >= WEAKEST_SCORE && countOthers(password, words) >= FEWEST_OTHERS) return
  throw invalidInput(
    ['body', 'password'],
    'This password is common or easy to guess. Use several unrelated words',
    'password_too_common',
  )
}
