import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { StartupError } from '@salus/kernel/errors'

/**
 * A part of a backup: a magic number, the id of the key, a salt, and pieces of AES-256-GCM, each
 * with its tag. The key of a part is derived from the salt and the part's own name, so parts cannot
 * be exchanged; the nonce of a piece has its number and marks the last one, so none can be missing.
 */
const MAGIC = Buffer.from('SALUSBK1')
const KEY_ID_BYTES = 4
const SALT_BYTES = 16
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES
const PIECE_BYTES = 1024 ** 2
const TAG_BYTES = 16
const NONCE_BYTES = 12
const CIPHER = 'aes-256-gcm'

const BROKEN = 'A part of the backup is broken or was changed'

const idOf = (key: Buffer): Buffer =>
  createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES)

const partKey = (key: Buffer, salt: Buffer, part: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, part, 32))

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUIntBE(index, 0, 6)
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1)
  return nonce
}

/** Seals a part; `part` is its name with that of its backup. */
export async function* sealPart(
  content: AsyncIterable<Uint8Array>,
  key: Buffer,
  part: string,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const secret = partKey(key, salt, part)
  yield Buffer.concat([MAGIC, idOf(key), salt])
  for await (const { index, isLast, piece } of cut(content, PIECE_BYTES)) {
    const cipher = createCipheriv(CIPHER, secret, nonceOf(index, isLast))
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/** @throws StartupError when no key fits, or a byte is missing or different */
export async function* openPart(
  sealed: AsyncIterable<Uint8Array>,
  keys: readonly Buffer[],
  part: string,
): AsyncGenerator<Buffer> {
  const pieces = sealed[Symbol.asyncIterator]()
  const { header, rest } = await readHeader(pieces, part)
  const keyId = header.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES)
  const key = keys.find((candidate) => idOf(candidate).equals(keyId))
  if (key === undefined) {
    throw new StartupError(
      'The backup was made with another secret key. Set SALUS_SECRET_KEY to the key of that server, or restore its secret.key.',
    )
  }
  const secret = partKey(key, header.subarray(MAGIC.length + KEY_ID_BYTES), part)
  for await (const { index, isLast, piece } of cut(
    prepend(rest, pieces),
    PIECE_BYTES + TAG_BYTES,
  )) {
    yield openPiece(piece, secret, nonceOf(index, isLast), part)
  }
}

function openPiece(piece: Buffer, secret: Buffer, nonce: Buffer, part: string): Buffer {
  const tagAt = piece.length - TAG_BYTES
  try {
    const decipher = createDecipheriv(CIPHER, secret, nonce).setAuthTag(piece.subarray(tagAt))
    return Buffer.concat([decipher.update(piece.subarray(0, tagAt)), decipher.final()])
  } catch (cause) {
    throw new StartupError(`${BROKEN} (${part}).`, { cause })
  }
}

async function readHeader(pieces: AsyncIterator<Uint8Array>, part: string) {
  let read = Buffer.alloc(0)
  while (read.length < HEADER_BYTES) {
    const { value, done } = await pieces.next()
    if (done) throw new StartupError(`${BROKEN} (${part}).`)
    read = Buffer.concat([read, value])
  }
  if (!read.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new StartupError(`${part} is not a part of a backup that this version of Salus can read.`)
  }
  return { header: read.subarray(0, HEADER_BYTES), rest: read.subarray(HEADER_BYTES) }
}

async function* prepend(
  first: Buffer,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first
  for (;;) {
    const { value, done } = await rest.next()
    if (done) return
    yield value
  }
}

/** Yields pieces of the length; the last one may be shorter or empty. */
async function* cut(content: AsyncIterable<Uint8Array>, length: number) {
  let index = 0
  let pending: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    pending.push(chunk)
    bytes += chunk.length
    // One more byte shows that the previous piece is not the last.
    if (bytes <= length) continue
    const joined = Buffer.concat(pending)
    let at = 0
    for (; joined.length - at > length; at += length) {
      yield { index: index++, isLast: false, piece: joined.subarray(at, at + length) }
    }
    pending = [joined.subarray(at)]
    bytes = joined.length - at
  }
  yield { index, isLast: true, piece: Buffer.concat(pending) }
}
